/**
 * Characters that look like a Latin letter, by that letter. A table of our own: common fonts, the letters that occur in
 * reserved names, and digits that are read as letters. Compatibility forms (fullwidth, mathematical, circled …) and
 * diacritics are left to NFKD. Letters that are hard to tell apart share one entry: i, l, 1 and |.
 */
const lookAlikes: Readonly<Record<string, string>> = {
  a: "4ɑαаᴀΑАᎪ",
  b: "8ƅɓʙβьвЬΒВᏴ",
  c: "ϲсᴄϹСᏟ",
  d: "đɖɗԁᴅᎠ",
  e: "3€ɛɜǝεеєзᴇΕЕᎬ",
  f: "ƒϝғϜ",
  g: "69ɡɢցԍᏀ",
  h: "ħʜһнհΗНᎻ",
  j: "ϳјյᴊЈᎫ",
  k: "ƙκкᴋΚКᏦ",
  l: "1!|iıɩɪɨιіїӏլʟłΙІӀᏞ",
  m: "ɱмᴍΜМᎷ",
  n: "ŋɲɴηпոΝ",
  o: "0øɵοσθоօᴏΟОΘ",
  p: "ƿρрᴘΡРᏢ",
  q: "ɋԛզ",
  r: "ɾɼʀгᴦᏒ",
  s: "5$ʂꜱѕςЅᏚ",
  t: "7ŧƭτтᴛΤТᎢ",
  u: "ʉυицսᴜμ",
  v: "ʋνѵᴠᏙ",
  w: "ωѡшщԝᴡᎳ",
  x: "χхΧХ",
  y: "ʏγуүΥУᎩ",
  z: "2ʐζᴢΖᏃ",
};

const latinOf = new Map(
  Object.entries(lookAlikes).flatMap(([latin, alike]) => [...alike].map((character) => [character, latin] as const)),
);

/** Letters that are read as another one when they stand together; after the single characters were mapped. */
const pairs: readonly (readonly [string, string])[] = [
  ["rn", "m"],
  ["vv", "w"],
  ["cl", "d"],
];

/** A text as a quick reader sees it: two with the same skeleton are easily mistaken for each other (after UTS 39 section 4). */
export function skeleton(text: string): string {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "");
  const letters = [...plain].map(
    (character) => latinOf.get(character) ?? latinOf.get(character.toLowerCase()) ?? character,
  );
  const mapped = letters.join("").toLowerCase().replaceAll("i", "l");
  return pairs.reduce((read, [pair, letter]) => read.replaceAll(pair, letter), mapped).replaceAll(/[\p{P}\p{S}]/gu, "");
}
