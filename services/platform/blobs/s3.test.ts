import { expect, test } from "@jest/globals";
import { freePorts } from "../../../scripts/peers/free-ports.ts";
import { Outage } from "../errors.ts";
import { newId } from "../ids.ts";
import { S3Objects } from "./s3.ts";

test("a store that is away is an outage that names its variable, the bucket and where it is, and no key", async () => {
  const [port = 0] = await freePorts(1);
  const keys = { accessKeyId: "access", secretAccessKey: "not-so-secret" };
  const place = { endpoint: `http://127.0.0.1:${port}`, region: "us-east-1", bucket: "mail", prefix: "" };
  const error = await new S3Objects({ ...place, ...keys }, "ingress")
    .read(newId(), 1)
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Outage);
  expect((error as Outage).operatorMessage).toMatch(
    new RegExp(`^S3_BUCKET: mail at 127\\.0\\.0\\.1:${port}: Error: .*connect ECONNREFUSED 127\\.0\\.0\\.1:${port}$`),
  );
});
