import type { ControlRequest } from '@proto/core';
import type { WireMessage } from '@proto/core/framing';
import { UnsupportedCapabilityError } from '../errors.ts';

/** A request that needs a capability, either always or only if the request has a certain member. */
type Need = readonly [subtype: string, member: string | undefined, capability: string, since?: string];

const NEEDS: readonly Need[] = [
  ['interrupt', 'cancel_queued', 'interrupt_cancel_queued_v1'],
  ['reload_plugins', 'refuse_if_busy', 'reload_plugins_refuse_if_busy_v1'],
  ['mcp_read_resource', undefined, 'mcp_read_resource_v1'],
  ['mcp_call', 'check_permissions', 'mcp_call_check_permissions_v1'],
  ['mcp_call', 'result_not_for_model', 'mcp_call_result_not_for_model_v1'],
  ['mcp_call', 'soft_error_result', 'mcp_call_soft_error_result_v1', '2.1.332'],
];

const SINCE = '2.1.328';

export class Capabilities {
  /** The capabilities in the answer to `initialize`. The list that arrives at the start of a turn is longer, but lacks some of these names. */
  #first: readonly string[] = [];
  /**
   * All capabilities of the agent. Undefined until the first turn begins, because the agent reports only some of its capabilities before its first
   * turn.
   */
  all: ReadonlySet<string> | undefined;

  initialized({ capabilities = [] }: { readonly capabilities?: readonly string[] }): void {
    this.#first = capabilities;
  }

  onMessage({ type, subtype, capabilities }: WireMessage): void {
    if (type !== 'system' || subtype !== 'init' || !Array.isArray(capabilities)) return;
    this.all = new Set<string>([...this.#first, ...(capabilities as string[])]);
  }

  /** Returns `undefined` if the agent may be able to serve the request. */
  lackedBy(request: ControlRequest): UnsupportedCapabilityError | undefined {
    const lacked = NEEDS.find(
      ([subtype, member, capability]) =>
        request.subtype === subtype &&
        (member === undefined || Boolean(request[member])) &&
        this.all?.has(capability) === false,
    );
    if (lacked === undefined) return undefined;
    const [subtype, , capability, since = SINCE] = lacked;
    return new UnsupportedCapabilityError({ subtype, capability, since });
  }
}
