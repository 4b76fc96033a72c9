import { defineConfig } from "../platform/config.ts";

export const restConfig = defineConfig({});
