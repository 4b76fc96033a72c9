import { unavailableWithoutDatabase, unavailableWithoutServices } from "../support/outages.ts";

const asking = ({ attachmentPath: path }: { attachmentPath: string }) => ({ method: "GET", path });

unavailableWithoutServices(asking);
unavailableWithoutDatabase(asking, "mailbox");
