// What the header section of an entity says of its body: RFC 2045 sections 5 and 6, RFC 2183, RFC 3676.

import { bodyOf, type HeaderField } from "../header/fields.ts";
import { type Parameter, parameterText, parseParameterized } from "./parameters.ts";

/** What an entity says that its body is. */
export interface Content {
  /** In lower case, such as `text/plain`; by default where nothing is stated that can be read. */
  readonly type: string;
  /** Whether the type was stated. */
  readonly isTypeStated: boolean;
  readonly charset: string | undefined;
  /** Of a multipart; as bytes. */
  readonly boundary: string | undefined;
  /** format=flowed, and whether spaces before its soft line breaks go. */
  readonly isFlowed: boolean;
  readonly deletesSpaces: boolean;
  /** In lower case; "" where nothing is stated. */
  readonly transferEncoding: string;
  /** In lower case, such as `attachment`; "" where nothing is stated. */
  readonly disposition: string;
  /** What a file made of it would be called, as the sender says. */
  readonly fileName: string | undefined;
  /** Without its brackets. */
  readonly contentId: string | undefined;
}

const mediaType = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}(?=$|[\s,])/;

/** @param defaultType of what states none (RFC 2045 section 5.2, RFC 2046 section 5.1.5) */
export function describeContent(fields: readonly HeaderField[], defaultType = "text/plain"): Content {
  const { value, parameters } = parseParameterized(bodyOf(fields, "content-type") ?? "");
  const disposition = parseParameterized(bodyOf(fields, "content-disposition") ?? "");
  const type = mediaType.exec(value)?.[0];
  return {
    type: type ?? defaultType,
    isTypeStated: type !== undefined,
    charset: parameterText(parameters.get("charset"))?.trim(),
    boundary: type?.startsWith("multipart/") ? boundaryOf(parameters) : undefined,
    isFlowed: isParameter(parameters, "format", "flowed"),
    deletesSpaces: isParameter(parameters, "delsp", "yes"),
    transferEncoding: parseParameterized(bodyOf(fields, "content-transfer-encoding") ?? "").value,
    disposition: disposition.value,
    fileName:
      parameterText(disposition.parameters.get("filename")) || parameterText(parameters.get("name")) || undefined,
    contentId: withoutBrackets(bodyOf(fields, "content-id")),
  };
}

/** Blanks at its end cannot be told from those that gateways add to lines (RFC 2046 section 5.1.1). */
function boundaryOf(parameters: ReadonlyMap<string, Parameter>): string | undefined {
  return parameters.get("boundary")?.bytes.trimEnd() || undefined;
}

function isParameter(parameters: ReadonlyMap<string, Parameter>, name: string, value: string): boolean {
  return parameters.get(name)?.bytes.trim().toLowerCase() === value;
}

function withoutBrackets(id: string | undefined): string | undefined {
  return id?.trim().replace(/^</, "").replace(/>$/, "").trim() || undefined;
}
