import type { Request } from "express";
import type { z } from "zod";
import type { NeededScope } from "../../platform/security/scopes.ts";
import type { Caller, Endpoint } from "../http/endpoint.ts";
import type { Services } from "../services.ts";
import { dataOf, listOf, posternEndpoint } from "./endpoint.ts";

interface Asked {
  services: Services;
  caller: Caller;
  request: Request;
  /** As it stands in the path. */
  id: string;
}

interface Operation {
  summary: string;
  description?: string;
  scope: NeededScope;
}

interface Resource<S extends z.ZodType, B extends z.ZodType | undefined> {
  /** Of its operations: `show…`, `put…`, `remove…`, and `list…s` where all can be listed. */
  name: string;
  path: `/${string}`;
  document: S;
  /** Absent: the resource is its name alone. */
  body?: B;
  list?: Operation & { handle(asked: Omit<Asked, "id">): Promise<z.input<S>[]> };
  show: Operation & { handle(asked: Asked): Promise<z.input<S>> };
  put: Operation & {
    refusals: readonly (404 | 409 | 422 | 429)[];
    handle(
      asked: Asked & { body: B extends z.ZodType ? z.output<B> : undefined },
    ): Promise<{ data: z.input<S>; isCreated: boolean }>;
  };
  remove: Operation & { refusals?: readonly 409[]; handle(asked: Asked): Promise<unknown> };
}

/**
 * What a program declares under a name: PUT makes it exactly what is given, 201 where there was none; the same again is 200 and changes
 * nothing.
 */
export function declaredResource<S extends z.ZodType, B extends z.ZodType | undefined = undefined>({
  name,
  path,
  document,
  body,
  list,
  show,
  put,
  remove,
}: Resource<S, B>): Endpoint[] {
  const ofOne = `${path}/{id}` as const;
  const { handle: listAll, ...listing } = list ?? {};
  const { handle: showOne, ...showing } = show;
  const { handle: putOne, ...putting } = put;
  const { handle: removeOne, refusals: removalRefusals = [], ...removing } = remove;
  return [
    ...(listAll
      ? [
          posternEndpoint({
            ...(listing as Operation),
            name: `list${name}s`,
            method: "GET",
            path,
            responses: { 200: listOf(document) },
            handle: async (call) => ({ status: 200, data: await listAll(call) }),
          }),
        ]
      : []),
    posternEndpoint({
      ...showing,
      name: `show${name}`,
      method: "GET",
      path: ofOne,
      responses: { 200: dataOf(document) },
      refusals: [404],
      handle: async ({ path: { id = "" }, ...call }) => ({ status: 200, data: await showOne({ ...call, id }) }),
    }),
    posternEndpoint<B>({
      ...putting,
      name: `put${name}`,
      method: "PUT",
      path: ofOne,
      ...(body ? { body } : {}),
      responses: { 200: dataOf(document), 201: dataOf(document) },
      handle: async ({ path: { id = "" }, ...call }) => {
        const { data, isCreated } = await putOne({ ...call, id });
        return { status: isCreated ? 201 : 200, data };
      },
    }),
    posternEndpoint({
      ...removing,
      name: `remove${name}`,
      method: "DELETE",
      path: ofOne,
      responses: { 204: undefined },
      refusals: [404, ...removalRefusals],
      handle: async ({ path: { id = "" }, ...call }) => {
        await removeOne({ ...call, id });
        return { status: 204 };
      },
    }),
  ];
}
