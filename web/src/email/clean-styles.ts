type FrameWindow = Window & typeof globalThis;

/** As the browser writes it: names in full, without escapes. */
const loads = /(?:url|src|image|image-set|cross-fade)\(/i;
const embedded = /url\("data:image\/[^"]*"\)/gi;

// What a sender styled, read and written again by the browser itself, so that no escape hides anything from us. Nothing of it
// loads anything from elsewhere, not even once the reader allows pictures: browsers send the site that they were shown on
// along with what a style loads, whatever the document's referrer policy says (seen in Chromium 156).

/** A whole sheet, as in `<style>`: the rules that mail is made of. `@import`, fonts and the like are dropped. */
export function cleanSheet(css: string, frame: FrameWindow): string {
  const sheet = new frame.CSSStyleSheet();
  sheet.replaceSync(css);
  cleanRules(sheet, frame);
  return [...sheet.cssRules].map((rule) => rule.cssText).join("\n");
}

/** Declarations, as in a `style` attribute. */
export function cleanDeclarations(css: string, frame: FrameWindow): string {
  // Not on any page: what is read into it is not applied.
  const { style } = frame.document.createElement("div");
  style.cssText = css;
  removeLoading(style);
  return style.cssText;
}

function cleanRules(parent: CSSStyleSheet | CSSGroupingRule | CSSStyleRule, frame: FrameWindow): void {
  // Backwards, since deleting moves what follows.
  for (let place = parent.cssRules.length - 1; place >= 0; place -= 1) {
    const rule = parent.cssRules[place];
    if (rule instanceof frame.CSSStyleRule) {
      removeLoading(rule.style);
      cleanRules(rule, frame);
    } else if (rule instanceof frame.CSSMediaRule || rule instanceof frame.CSSSupportsRule) cleanRules(rule, frame);
    else parent.deleteRule(place);
  }
}

function removeLoading(style: CSSStyleDeclaration): void {
  for (const name of [...style]) {
    const value = style.getPropertyValue(name);
    // A variable is kept as it was written, escapes and all, and becomes something else where it is used.
    const isOpaque = name.startsWith("--") && value.includes("\\");
    if (isOpaque || loads.test(value.replaceAll(embedded, ""))) style.removeProperty(name);
  }
}
