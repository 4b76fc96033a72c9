/** Messages as they are sent, but for the ends of their lines. */
export const plainMessage =
  "From: Ann <ann@example.com>\nTo: Bert <bert@example.org>\nSubject: Hello\n\nIs anybody there?\n";

/** With one attachment of nine bytes. */
export const messageWithAttachment = `From: Ann <ann@example.com>
To: Bert <bert@example.org>
Subject: =?UTF-8?B?R3LDvMOfZSDwn46J?=
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=limit

--limit
Content-Type: text/plain

See below.
--limit
Content-Type: application/x-note
Content-Disposition: attachment; filename*=UTF-8''%C3%9Cbersicht%20%28neu%29.bin
Content-Id: <note@example.com>
Content-Transfer-Encoding: base64

AP8B/g0KLg0K
--limit--
`;
