import { unavailableWithoutDatabase, unavailableWithoutServices } from "../support/outages.ts";
import { recorderPath } from "../support/recorders.ts";

const asking = ({ recorder }: { recorder: string }) => ({
  method: "POST",
  path: `${recorderPath}/call/${recorder}`,
  body: "{}",
});

unavailableWithoutServices(asking);
unavailableWithoutDatabase(asking, "webhook");
