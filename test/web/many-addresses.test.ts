import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Route } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import { asSuperuser } from "../support/peers/database.ts";
import { chooseAddress, makeManyAddresses, onTheBoard, rowOf, shownNames } from "./support/addresses.ts";
import { openLimitMs, openSite, type Site } from "./support/site.ts";

let site: Site;

beforeAll(async () => {
  site = await openSite({ QUOTA_BINDINGS: "2000" });
  await makeManyAddresses(site.installation);
}, openLimitMs);
afterAll(() => site?.close());

test("of several addresses what fails, and what is selected meanwhile, stays selected", async () => {
  const { page, complaints, close } = await onTheBoard(site);
  await page.getByText(/^You can create 99\d more$/).waitFor();
  const bulk = page.getByRole("region", { name: "Actions for the selected addresses" });
  const turnOn = bulk.getByRole("button", { name: "Turn on" });
  const checkbox = (name: string) => page.getByRole("checkbox", { name: `Select ${name}@postern.localhost` });
  const isSwitch = (route: Route) => route.request().postDataJSON()?.operationName === "SwitchProxyBinding";
  const [asked, selected] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route("**/graphql", async (route) => {
    if (isSwitch(route)) {
      asked.resolve();
      await selected.promise;
    }
    await route.continue();
  });
  await checkbox("bravo").press("Space");
  await turnOn.click();
  await asked.promise;
  await checkbox("charlie").press("Space");
  selected.resolve();
  await page.getByText("1 address updated.").waitFor();
  await bulk.getByText("1 address selected").waitFor();
  expect(await checkbox("bravo").isChecked()).toBe(false);
  await page.unroute("**/graphql");
  const errors = [{ message: "Not now.", extensions: { code: "UNAVAILABLE" } }];
  await page.route("**/graphql", (route) => (isSwitch(route) ? route.fulfill({ json: { errors } }) : route.continue()));
  await turnOn.click();
  await page.getByText("1 address couldn't be updated").waitFor();
  expect(await checkbox("charlie").isChecked()).toBe(true);
  await page.unroute("**/graphql");
  await turnOn.click();
  await bulk.waitFor({ state: "detached" });
  expect(complaints).toEqual([]);
  await close();
});

test("several addresses are labelled, switched and removed at once", async () => {
  const { page, complaints, close } = await onTheBoard(site);
  for (const name of ["bravo", "charlie"])
    await page.getByRole("checkbox", { name: `Select ${name}@postern.localhost` }).press("Space");
  const bulk = page.getByRole("region", { name: "Actions for the selected addresses" });
  await bulk.getByText("2 addresses selected").waitFor();
  await bulk.getByRole("button", { name: "Add label" }).click();
  await page.getByRole("textbox", { name: "Label" }).fill("shops, tea");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText("2 addresses updated.").waitFor();
  for (const name of ["bravo", "charlie"])
    expect(await rowOf(page, name).getByRole("list", { name: "Labels" }).textContent()).toBe("shopstea");
  await page.getByRole("searchbox").fill("tea");
  await eventually(async () => expect(await shownNames(page)).toEqual(["charlie", "bravo"]));
  await page.getByRole("checkbox", { name: "Select all that are shown" }).press("Space");
  await bulk.getByRole("button", { name: "Turn off" }).click();
  // Once both are switched none is selected: until then this would take bravo out of the selection.
  await bulk.waitFor({ state: "detached" });
  expect(await rowOf(page, "bravo").getByRole("switch").isChecked()).toBe(false);
  await page.getByRole("checkbox", { name: "Select bravo@postern.localhost" }).press("Space");
  await bulk.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("alertdialog", { name: "Remove 1 address?" }).getByRole("button", { name: "Remove" }).click();
  await eventually(async () => expect(await shownNames(page)).toEqual(["charlie"]));
  expect(complaints).toEqual([]);
  await close();
});

test("all that match are selected where that is asked for, changed in batches, and left alone once it is stopped", async () => {
  const { page, complaints, close } = await onTheBoard(site);
  await page.getByRole("searchbox").fill("many-1");
  const bulk = page.getByRole("region", { name: "Actions for the selected addresses" });
  const selectAll = page.getByRole("checkbox", { name: "Select all that are shown" });
  await page.getByText("112 addresses", { exact: true }).waitFor();
  await selectAll.press("Space");
  await bulk.getByText("50 addresses selected").waitFor();
  await bulk.getByRole("button", { name: "Select all 112 addresses" }).click();
  await bulk.getByText("All 112 addresses selected").waitFor();
  // What is read as one scrolls is selected as well.
  await eventually(async () => {
    await page.mouse.wheel(0, 5_000);
    expect(await page.locator('[aria-rowindex="113"]').getByRole("checkbox").isChecked({ timeout: 500 })).toBe(true);
  });
  await bulk.getByRole("button", { name: "Add label" }).click();
  await page.getByRole("textbox", { name: "Label" }).fill("crowd");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText("112 addresses updated.").waitFor();
  await bulk.waitFor({ state: "detached" });
  const labelled = await asSuperuser(
    await site.installation.databaseUrl(),
    "select count(*)::int as number from bindings.used_on where 'crowd' = any(sites)",
  );
  expect(labelled).toEqual([{ number: 112 }]);

  // Not all are read any more.
  await page.reload();
  await selectAll.press("Space");
  await bulk.getByRole("button", { name: "Select all 112 addresses" }).click();
  const [asked, stopped] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route("**/graphql", async (route) => {
    if (route.request().postDataJSON()?.operationName === "SwitchProxyBinding") {
      asked.resolve();
      await stopped.promise;
    }
    await route.continue();
  });
  await bulk.getByRole("button", { name: "Turn off" }).click();
  await asked.promise;
  await bulk.getByRole("progressbar", { name: "0 of 112 done" }).waitFor();
  // It goes on, and can be stopped, whatever is looked at meanwhile.
  await page.getByRole("searchbox").fill("many-2");
  await page.getByText("111 addresses", { exact: true }).waitFor();
  await bulk.getByRole("button", { name: "Stop" }).click();
  await bulk.getByRole("button", { name: "Stopping…" }).waitFor();
  stopped.resolve();
  await page.getByText("50 addresses updated.").waitFor();
  await page.locator("h1:focus").waitFor();
  expect(await page.getByRole("progressbar").count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});

test("any of a thousand addresses is found where a list is narrowed down to one", async () => {
  const { page, complaints, close } = await onTheBoard(site);
  await page.getByRole("link", { name: "Failures" }).click();
  await chooseAddress(page, "many-7@postern.localhost");
  await page.getByText("Nothing failed that matches.").waitFor();
  expect(new URL(page.url()).searchParams.get("address")).toBe("00000000-0000-7000-8000-000000000007");
  await page.reload();
  await page.getByRole("button", { name: "Address: many-7@postern.localhost" }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test("while addresses are looked for it says so, not that there is none, and no former finding is opened instead", async () => {
  const { page, close } = await onTheBoard(site);
  const isSearch = (route: Route, search: string) => {
    const { operationName, variables } = route.request().postDataJSON() ?? {};
    return operationName === "AddressNames" && variables.search === search;
  };
  const held = Promise.withResolvers<void>();
  await page.route("**/graphql", async (route) => {
    if (isSearch(route, "") || isSearch(route, "many-901")) await held.promise;
    if (isSearch(route, "many-902")) await route.abort();
    else await route.continue();
  });
  await page.getByRole("link", { name: "Failures" }).click();
  const { pathname } = new URL(page.url());
  await page.getByRole("button", { name: /^Address:/ }).click();
  const choice = page.getByRole("dialog", { name: "Choose an address" });
  await choice.getByRole("searchbox").fill("many-901");
  await choice.getByText("Searching your addresses…").waitFor();
  expect(await choice.getByText("No address matches.").count()).toBe(0);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");

  await page.keyboard.press("Control+K");
  const palette = page.getByRole("dialog", { name: "Search or jump to" });
  const search = palette.getByRole("searchbox");
  await search.fill("many-900");
  await palette.getByRole("menuitem", { name: /^many-900@/ }).waitFor();
  await search.fill("many-901");
  await palette.getByText("Searching your addresses…").waitFor();
  expect(await palette.getByRole("menuitem", { name: "@" }).count()).toBe(0);
  await search.press("Enter");
  held.resolve();
  await palette.getByRole("menuitem", { name: /^many-901@/ }).waitFor();
  expect(new URL(page.url()).pathname).toBe(pathname);
  await search.fill("many-902");
  await palette.getByText("We couldn't reach the server.").waitFor();
  expect(await palette.getByText("Nothing matches.").count()).toBe(0);
  await page.unroute("**/graphql");
  await palette.getByRole("button", { name: "Try again" }).click();
  await palette.getByRole("menuitem", { name: /^many-902@/ }).waitFor();
  await page.context().setOffline(true);
  await search.fill("many-903");
  await palette.getByRole("button", { name: "Try again" }).waitFor();
  await page.context().setOffline(false);
  await palette.getByRole("button", { name: "Try again" }).click();
  await palette.getByRole("menuitem", { name: /^many-903@/ }).waitFor();
  await close();
});
