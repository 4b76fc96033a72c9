import type { Endpoint } from "../http/endpoint.ts";
import { createProxyBinding } from "./create-proxy-binding.ts";
import { createRecorder } from "./create-recorder.ts";
import { deleteProxyBinding } from "./delete-proxy-binding.ts";
import { deleteReceivedEmail } from "./delete-received-email.ts";
import { downloadAttachment } from "./download-attachment.ts";
import { grantSecondFactor } from "./grant-second-factor.ts";
import { listProxyBindings } from "./list-proxy-bindings.ts";
import { listReceivedEmailLinks } from "./list-received-email-links.ts";
import { recordCall } from "./record-call.ts";
import { showApiToken } from "./show-api-token.ts";
import { showReceivedEmail } from "./show-received-email.ts";
import { showRecording } from "./show-recording.ts";
import { showUser } from "./show-user.ts";
import { signIn } from "./sign-in.ts";
import { updateProxyBinding } from "./update-proxy-binding.ts";

/** Every endpoint under /api/v1, in the order of the interface specification, then those of the decisions. */
export const endpoints: readonly Endpoint[] = [
  signIn,
  showApiToken,
  listProxyBindings,
  createProxyBinding,
  updateProxyBinding,
  listReceivedEmailLinks,
  showReceivedEmail,
  createRecorder,
  showRecording,
  recordCall,
  deleteProxyBinding,
  deleteReceivedEmail,
  showUser,
  grantSecondFactor,
  downloadAttachment,
];
