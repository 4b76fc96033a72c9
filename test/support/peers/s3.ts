import { type S3Gateway, startS3Gateway } from "../../../scripts/peers/versitygw.ts";

/** A real S3-compatible store for this test file, with what a service is told so that it uses it; ends with the test's process. */
export async function testS3(): Promise<S3Gateway & { config: Record<string, string> }> {
  const gateway = await startS3Gateway();
  const config = {
    S3_ENDPOINT: gateway.endpoint,
    S3_BUCKET: gateway.bucket,
    S3_ACCESS_KEY_ID: gateway.accessKeyId,
    S3_SECRET_ACCESS_KEY: gateway.secretAccessKey,
  };
  return Object.assign(gateway, { config });
}
