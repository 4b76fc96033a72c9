/** The look of the web application (web/src/styles/tokens.css has the same colours; a test says so if one changes alone). */
export const style = `
:root { color-scheme: light dark }
body { margin: 0; font: 400 1rem/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; overflow-wrap: anywhere;
  color: light-dark(#18201e, #eceeed); background: light-dark(#f7f7f5, #0c0e0f) }
.page { display: flex; flex-direction: column; gap: 1rem; width: min(27rem, 100%); box-sizing: border-box; margin: 0 auto;
  padding: clamp(1rem, 9vh, 6rem) 1rem 3rem }
.mark { display: inline-flex; align-items: center; gap: .55rem; font-size: 1.15rem; font-weight: 700; letter-spacing: -.01em }
.mark svg { width: 1.9rem; height: 1.9rem }
.wall { fill: light-dark(#0f6b5c, #5fcab5) } .door { fill: light-dark(#ffffff, #0b2520) }
.arch { fill: none; stroke: light-dark(#ffffff, #0b2520); stroke-width: 2.6; stroke-linecap: round }
main { display: flex; flex-direction: column; gap: 1rem; padding: 1.6rem; border: 1px solid light-dark(#e5e6e1, #272c2e);
  border-radius: 10px; background: light-dark(#ffffff, #181b1d); box-shadow: 0 1px 2px light-dark(rgb(24 32 30 / 5%), rgb(0 0 0 / 30%)) }
h1, p, form { margin: 0 }
h1 { font-size: 1.6rem; font-weight: 650; line-height: 1.25; letter-spacing: -.01em }
form { display: flex; flex-direction: column; gap: 1rem }
a { color: light-dark(#0f6b5c, #5fcab5); text-underline-offset: .15em }
small { color: light-dark(#5a6461, #9ca7a3) }
label { font-size: .92rem; font-weight: 600 }
input { display: block; width: 100%; box-sizing: border-box; min-height: 2.5rem; margin-top: .25rem; padding: .4rem .7rem; font: inherit; font-weight: 400;
  font-size: 1rem; border: 1px solid light-dark(#8b948f, #6d7a76); border-radius: 7px; color: inherit; background: transparent }
input[hidden] { display: none }
button { min-height: 2.5rem; padding: .35rem .95rem; border: 0; border-radius: 7px; font: inherit; font-weight: 550; cursor: pointer;
  color: light-dark(#ffffff, #0b2520); background: light-dark(#0f6b5c, #5fcab5) }
button:hover { background: light-dark(#0a5347, #86dccb) }
:focus-visible { outline: 2px solid light-dark(#0f6b5c, #5fcab5); outline-offset: 2px }
[role="alert"] { padding: .6rem .85rem; border: 1px solid light-dark(#a3261b, #ff9d92); border-left-width: 4px; border-radius: 7px;
  background: light-dark(#fcedea, #33201d) }
`;

/** The name and its sign, as on the web application. */
export const mark = `<span class="mark"><svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" class="wall"/>
<path d="M8 26V14a8 8 0 0 1 16 0v12" class="arch"/><path d="M11.5 26V14.5a4.5 4.5 0 0 1 9 0V26z" class="door"/></svg>Postern</span>`;
