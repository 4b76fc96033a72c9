import { expect, jest, test } from "@jest/globals";
import ipaddr from "ipaddr.js";
import { envelopeFacts } from "../../services/ingress/rules/mail-facts.ts";
import { firstMatch } from "../../services/message/rules/match-rule.ts";

// Owners may write thousands of networks, and a stranger may name a hundred of their addresses: a network is parsed once.

const network = (rule: number, value: number) => `10.${rule}.${value}.0/24`;
const rules = () =>
  Array.from({ length: 64 }, (_rule, rule) => ({
    conditions: { clientNetworks: Array.from({ length: 50 }, (_value, value) => network(rule, value)) },
  }));

test("64 rules of 50 networks for each of 100 recipients, at RCPT and again at DATA: each network is parsed once", () => {
  const parsed = jest.spyOn(ipaddr, "parseCIDR");
  const routes = Array.from({ length: 100 }, rules);
  for (const _command of ["RCPT", "DATA"])
    for (const route of routes) {
      expect(firstMatch(route, envelopeFacts("ann@shop.example", "x@p.example", "192.0.2.1"))).toBeUndefined();
      expect(firstMatch(route, envelopeFacts("ann@shop.example", "x@p.example", "10.63.49.1"))).toBe(route[63]);
    }
  expect(parsed.mock.calls).toHaveLength(64 * 50);
});
