import { defineConfig } from "@playwright/test";

// POSTERN_URL and POSTERN_KEY say which Postern; CHROMIUM is a browser that is there already.
const {
  CHROMIUM: executablePath,
  PORT: port = "4173",
  SIGN_UP_PAGE: server = "../sign-up-page/server.mjs",
} = process.env;

export default defineConfig({
  timeout: 120_000,
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    launchOptions: executablePath ? { executablePath, args: ["--no-sandbox"] } : {},
  },
  webServer: { command: `node ${server}`, url: `http://127.0.0.1:${port}`, env: { PORT: port } },
});
