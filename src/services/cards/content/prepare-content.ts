import type { PreparedResponse } from '../../../kernel/prepared-response.ts'
import type { Revision } from '../store/content.ts'
import { contentTag, type KeptContent, prepareBytes, viewerKey } from './kept-content.ts'
import type { ReadName } from './plan.ts'
import { READS, type ReadRequest, type Renderer } from './responses.ts'

/** A board that changes while it is read is read again. */
const MAX_ATTEMPTS = 3

/** A response, or the slug that the card has instead. */
export type Prepared = PreparedResponse | { readonly slug: string }

export type Prepare = (name: ReadName, request: ReadRequest, state: Revision) => Promise<Prepared>

/** Equal requests at the same time share the work. */
export function createPrepare(
  renderer: Renderer,
  kept: KeptContent,
  readState: (request: ReadRequest) => Promise<Revision>
): Prepare {
  const preparing = new Map<string, Promise<Prepared>>()

  async function prepare(
    name: ReadName,
    request: ReadRequest,
    state: Revision,
    key: string | undefined
  ): Promise<Prepared> {
    let before = state
    for (let attempt = 1; ; attempt++) {
      const content = await READS[name](renderer, request)
      if (content.kind === 'moved') return { slug: content.slug }
      const after = await readState(request)
      const isStable = before.revision === after.revision && before.id === after.id
      if (isStable || attempt === MAX_ATTEMPTS) {
        const tag = isStable ? tagOf(renderer, request, after) : undefined
        const prepared = await prepareBytes(content, request.viewer, tag)
        if (isStable && key !== undefined) kept.keep(key, after, prepared)
        return prepared
      }
      before = after
    }
  }

  return (name, request, state) => {
    const key = keyOf(request)
    if (key === undefined) return prepare(name, request, state, undefined)
    const shared = `${state.id} ${state.revision} ${key}`
    const known = preparing.get(shared)
    if (known !== undefined) return known
    const started = prepare(name, request, state, key).finally(() => preparing.delete(shared))
    preparing.set(shared, started)
    return started
  }
}

/** Of kept responses; undefined if the response is for one client only. */
export function keyOf({
  viewer,
  baseUrl,
  plan
}: Omit<ReadRequest, 'imageToken'>): string | undefined {
  const who = viewerKey(viewer)
  return who === undefined ? undefined : `${who}\n${baseUrl}\n${plan.key}`
}

/** Another version of nonet may render the same cards in another way. */
export function tagOf(
  { context: { kernel } }: Renderer,
  { viewer, baseUrl, plan, imageToken }: ReadRequest,
  state: Revision
): string {
  const form = [kernel.version, baseUrl, plan.key, imageToken ?? ''].join(' ')
  return contentTag(state, viewer, form)
}
