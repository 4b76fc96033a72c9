/** The parts of mailauth that we use; its types describe the whole. */
declare module "mailauth/lib/dkim/verify.js" {
  export { dkimVerify } from "mailauth";
}
declare module "mailauth/lib/spf/index.js" {
  export { spf } from "mailauth";
}
declare module "mailauth/lib/arc/index.js" {
  import type { ARCOptions, ARCResult, DKIMVerifyResult } from "mailauth";
  export function arc(chain: DKIMVerifyResult["arc"], options: ARCOptions): Promise<ARCResult>;
}
declare module "mailauth/lib/dmarc/index.js" {
  export { dmarc } from "mailauth";
}
declare module "mailauth/lib/tools.js" {
  export function formatAuthservId(host: string, isStrict: boolean): string;
}
