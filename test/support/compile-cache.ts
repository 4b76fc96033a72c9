import { fileURLToPath } from "node:url";

/** Lets the processes of tests share what V8 and the type stripping made of the sources: each start then takes half the CPU. */
export const compileCache = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL("../../node_modules/.cache/compile", import.meta.url)),
};
