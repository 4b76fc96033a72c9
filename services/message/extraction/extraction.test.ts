import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { codesIn } from "./codes.ts";
import { linksIn } from "./links.ts";

test.each([
  ["Your verification code is 482913.", ["482913"]],
  ["482 913 is your login code", ["482913"]],
  ["Use G-482913 as your code.\nIt expires in 10 minutes. © 2026", ["G-482913"]],
  ["Ihr Einmalcode:\n\n  4829  \n\nGültig bis 12:30.", ["4829"]],
  ["Enter this:\n\nK7QX9P\n\nThanks", ["K7QX9P"]],
  ["Your code: 1234-5678", ["12345678"]],
  ["Sign in\n\n@example.com #739104", ["739104"]],
  ["验证码 123456", ["123456"]],
  ["Anmeldung\n\nIhr Bestätigungscode lautet 482913.", ["482913"]],
  ["Dein Einmalpasswort: 0042", ["0042"]],
  ["Din engångskod är 482913", ["482913"]],
  ["Bitte bestätigen Sie mit 482913.", ["482913"]],
  ["Order 99887766 has shipped. Your PIN is 5512.", ["5512", "99887766"]],
  ["Ihr Code\n\nBestellnummer 20241234\nIhr Code: 778899", ["778899", "20241234"]],
  ["4829 is your code. Order 99887 is open.", ["4829", "99887"]],
  ["Your verification code is: 482913. Our address: Postcode: 12345", ["482913", "12345"]],
  ["Your code is 482913.\nYour trip: Booking code 20261", ["482913", "20261"]],
  ["Ihr Bestätigungscode lautet:\n\n482913\n\nKundennummer 8877665 Passwort vergessen?", ["482913", "8877665"]],
  ["Your sign-in code:\n\n482913\n\nSupport: PIN 4711", ["482913", "4711"]],
  ["Uw verificatiecode is 482913", ["482913"]],
  ["קוד האימות שלך הוא 482913.", ["482913"]],
  ["482913 הוא הקוד שלך לכניסה", ["482913"]],
  ["השתמשו ב-482913 כקוד אימות", ["482913"]],
  ["הסיסמה החד-פעמית: 0042\nההזמנה 99887766 נשלחה.", ["0042", "99887766"]],
  ["הזן את הקוד:\n\n\u200e482913\u200f\n\nהוא תקף לעשר דקות.", ["482913"]],
  ["מיקוד 6713201, ברקוד 4006381, קוד קופון 48291", []],
  ["رمز التحقق الخاص بك هو 482913.", ["482913"]],
  ["رمز التحقق: ٤٨٢٩١٣", ["482913"]],
  ["٤٨٢ ٩١٣ هو رمزك لتسجيل الدخول", ["482913"]],
  ["استخدم الكود \u202a482913\u202c لتأكيد حسابك", ["482913"]],
  ["كلمة المرور لمرة واحدة\n\n٠٠٤٢\n\nصالحة حتى ١٢:٣٠", ["0042"]],
  ["کد تایید شما: ۴۸۲۹۱۳", ["482913"]],
  ["الرمز البريدي ١٢٣٤٥، باركود ٤٠٠٦٣٨١، كود الخصم ٤٨٢٩١، ١٢٬٣٤٥٫٥٠ ر.س, کد پستی ۱۲۳۴۵", []],
  ["Postcode 12345", []],
  ["Code postal 75001, codice postale 00100", []],
  ["Barcode 4006381", []],
  ["Ihr Gutscheincode 482913", []],
  ["Shopping, 12345 pieces", []],
  ["Order 20231 of 2026-01-05 costs $1234 and 12.345,00 €", []],
  ["https://example.com/482913?x=482913 a@4829.example", []],
  ["No digits here", []],
])("the codes of %j", (text, codes) => {
  expect(codesIn(text)).toEqual(codes);
});

test("an announced code is found whatever stands around it", () => {
  const digits = fc.stringMatching(/^\d{4,8}$/);
  const words = fc
    .array(fc.constantFrom("Hello", "thanks", "Regards,", "\n", "we", "10:30", "Ann."), { maxLength: 20 })
    .map((each) => each.join(" "));
  fc.assert(
    fc.property(words, digits, words, (first, code, last) => {
      expect(codesIn(`${first}\nYour code is ${code}.\n${last}`)).toContain(code);
    }),
  );
});

test("whatever it is given, codes and links are parts of it, in bounded number", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 2_000 }), (given) => {
      const text = given
        .replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "")
        .replaceAll(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) % 16));
      for (const code of codesIn(text)) expect(text.replaceAll(/[ -]/g, "")).toContain(code.replaceAll("-", ""));
      for (const link of linksIn({ text: given, html: "" })) expect(given).toContain(link);
    }),
  );
});

test.each([
  ["See https://example.com/a?b=c&d=e.", "", ["https://example.com/a?b=c&d=e"]],
  [
    "(https://example.com/a_(b)) and <https://example.com/c>!",
    "",
    ["https://example.com/a_(b)", "https://example.com/c"],
  ],
  ["", `<a class=x href="https://example.com/a?b=1&amp;c=2">x</a>`, ["https://example.com/a?b=1&c=2"]],
  [
    "https://example.com/",
    "<a href='https://example.com/'>x</a><a href=https://example.com/b>y</a>",
    ["https://example.com/", "https://example.com/b"],
  ],
  [
    "",
    `<a href="javascript:alert(1)">x</a><a href="mailto:a@b.example">y</a><a href="&#104;ttps://example.com">z</a>`,
    ["https://example.com"],
  ],
])("the links of %j and %j", (text, html, links) => {
  expect(linksIn({ text, html })).toEqual(links);
});

test("a hundred links at most, of long and hostile texts too", () => {
  const text = Array.from({ length: 1_000 }, (_, at) => `https://example.com/${at}`).join(" ");
  expect(linksIn({ text, html: "" })).toHaveLength(100);
  expect(linksIn({ text: `https://${")".repeat(100_000)}`, html: ` href="${"&".repeat(100_000)}` })).toEqual([]);
  expect(codesIn("1-".repeat(100_000))).toEqual([]);
});
