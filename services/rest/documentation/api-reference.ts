/** Swagger UI over /openapi.json. */
export const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Postern's REST API</title>
<link rel="icon" href="/postern.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/api.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/**
 * Starts it, in the theme that was chosen in the web application, or the system's. What it leaves out: names of its fields, and a link inside
 * a button, which no keyboard or screen reader can tell apart (WCAG 2.2, 4.1.2).
 */
export const start = `const chosen = localStorage.getItem("postern-theme");
const systemDark = matchMedia("(prefers-color-scheme: dark)");
const applyTheme = () =>
  document.documentElement.classList.toggle("dark-mode", chosen === "dark" || (chosen !== "light" && systemDark.matches));
applyTheme();
systemDark.addEventListener("change", applyTheme);

const names = {
  "#servers": "Server",
  "textarea.body-param__text": "Request body",
  ".body-param-content-type select": "Content type of the request",
  ".response-control-media-type select": "Content type of the response",
  ".opblock-section-header .content-type": "Content type",
};
new MutationObserver(() => {
  for (const [selector, name] of Object.entries(names))
    for (const field of document.querySelectorAll(selector + ":not([aria-label])")) field.setAttribute("aria-label", name);
}).observe(document.getElementById("swagger-ui"), { childList: true, subtree: true });

const PlainPath = (_link, { React }) => ({ text }) => React.createElement("span", null, text);
SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#swagger-ui",
  deepLinking: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  plugins: [{ wrapComponents: { DeepLink: PlainPath } }],
});
`;

/** Swagger UI's colours, where they are too faint on what they stand on (WCAG 2.2, 1.4.3). */
export const style = `:root {
  color-scheme: light;
  --link: #0f5cb0; --good: #17724a; --bad: #a3261b; --soft: #59595c;
}
html.dark-mode {
  color-scheme: dark;
  --link: #8ab8ff; --good: #5fcab5; --bad: #ff9d92; --soft: #b4bac2;
}
.swagger-ui .info .title small { background: #4b4b4b }
.swagger-ui .info .title small.version-stamp { background: #4a6b00 }
.swagger-ui a, .swagger-ui .info a, .swagger-ui .link, .swagger-ui .info .base-url, .swagger-ui .opblock-tag small { color: var(--link) }
.swagger-ui .btn.authorize { border-color: var(--good); color: var(--good) }
.swagger-ui .btn.authorize span { color: inherit }
.swagger-ui .btn.authorize svg { fill: var(--good) }
.swagger-ui .btn.cancel, html.dark-mode .swagger-ui .opblock .try-out .btn.try-out__btn.cancel { border-color: var(--bad); color: var(--bad) }
.swagger-ui .btn.execute { border-color: #1c5fb0; background: #1c5fb0; color: #ffffff }
.swagger-ui .opblock .opblock-summary-method, .swagger-ui .opblock.opblock-get .opblock-summary-method { background: #1c5fb0; color: #ffffff; text-shadow: none }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #17724a }
.swagger-ui .opblock.opblock-put .opblock-summary-method { background: #8a5300 }
.swagger-ui .opblock.opblock-patch .opblock-summary-method { background: #0b6b6b }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #a3261b }
.swagger-ui .json-schema-2020-12-expand-deep-button, .swagger-ui .json-schema-2020-12__attribute--muted,
.swagger-ui .json-schema-2020-12-keyword__name--secondary, .swagger-ui .json-schema-2020-12-keyword__value--secondary,
.swagger-ui .json-schema-2020-12-accordion, .swagger-ui .parameter__in, .swagger-ui .prop-format { color: var(--soft) }
html:not(.dark-mode) .swagger-ui .renderedMarkdown code { color: #5b0fa8 }
html.dark-mode .swagger-ui .opblock.opblock-put .opblock-section-header { background: #1b2a33 }
.swagger-ui .response .headers td, .swagger-ui .response .headers th { color: inherit }
.swagger-ui .json-schema-2020-12__constraint { background: #7a4f00; color: #ffffff }
.swagger-ui .json-schema-2020-12__constraint--string { background: #7a4f00; color: #ffffff }
`;
