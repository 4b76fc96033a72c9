import type { Readable } from "node:stream";
import type { z } from "zod";

/** One call that a service answers: what goes in, what comes out, and whether it changes anything. */
export interface Procedure {
  readonly kind: "query" | "mutation";
  readonly input: z.ZodType;
  readonly output: z.ZodType;
}

/** What a service offers to others. Each service's contract.ts is a plain object of this shape, on zod alone. */
export interface Contract {
  readonly service: string;
  readonly procedures: Readonly<Record<string, Procedure>>;
  /** Bytes that are read as a stream, outside RPC: name → what is asked for. */
  readonly streams?: Readonly<Record<string, z.ZodType>>;
}

/** A contract as its callers see it; the same over HTTP and in one process. */
export type Client<C extends Contract> = {
  readonly [K in keyof C["procedures"]]: (
    input: z.input<C["procedures"][K]["input"]>,
  ) => Promise<z.output<C["procedures"][K]["output"]>>;
};

/** A contract as its service fulfils it. */
export type Implementation<C extends Contract> = {
  readonly [K in keyof C["procedures"]]: (
    input: z.output<C["procedures"][K]["input"]>,
  ) => Promise<z.input<C["procedures"][K]["output"]>>;
};

/** @param sizeBytes how long it is, where that is known: what is short costs less then */
type OpenStream<Input> = (input: Input, sizeBytes?: number) => Promise<Readable>;

export type StreamClient<C extends Contract> = {
  readonly [K in keyof NonNullable<C["streams"]>]: OpenStream<z.input<NonNullable<C["streams"]>[K]>>;
};

export type StreamImplementation<C extends Contract> = {
  readonly [K in keyof NonNullable<C["streams"]>]: (input: z.output<NonNullable<C["streams"]>[K]>) => Promise<Readable>;
};

export type AnyImplementation = Readonly<Record<string, (input: never) => Promise<unknown>>>;
export type AnyStreamImplementation = Readonly<Record<string, (input: never) => Promise<Readable>>>;
