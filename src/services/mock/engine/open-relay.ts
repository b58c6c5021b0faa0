import type { Relay } from '../proxy/relay.ts'
import type { Router } from '../routing/router.ts'
import type { ServedApi } from '../served-api.ts'
import type { Transformer } from '../transform/transformer.ts'
import type { Hold } from './hold.ts'
import type { FindOperationHandler } from './operation-handler.ts'
import type { EngineOptions } from './options.ts'

export interface OpenRelay {
  relay: Relay
  close: () => Promise<void>
}

/** Without an upstream, the proxy modules are not loaded. */
export async function openRelay(
  options: EngineOptions,
  router: Router<ServedApi>,
  handlerOf: FindOperationHandler,
  transformer: Transformer | undefined,
  hold: Hold | undefined
): Promise<OpenRelay | undefined> {
  if (options.upstream === undefined) return undefined
  const { createForwarder } = await import('../proxy/forward.ts')
  const { createRelay } = await import('../proxy/relay.ts')
  const forwarder = createForwarder(options.upstream)
  return {
    relay: createRelay(forwarder, options, router, handlerOf, transformer, hold),
    close: forwarder.close
  }
}
