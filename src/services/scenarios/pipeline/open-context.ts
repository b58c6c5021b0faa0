import type { IncomingMessage, ServerResponse } from 'node:http'
import { isCrossSite } from '../../../kernel/cross-site.ts'
import { isAnnouncedOver } from '../../../kernel/request-body.ts'
import type { ScenarioContext } from '../context.ts'
import {
  BodyTooLarge,
  DEFAULT_SEED,
  MAX_SEED_LENGTH,
  SeedInvalid,
  WorkspaceNotCreated
} from '../contract.ts'
import { type Body, collect, readBytes, readFields } from '../http/body.ts'
import { throttled } from '../http/body-chunks.ts'
import type { ScenarioTarget } from '../http/scenario-target.ts'
import { uploadSlow } from '../scenario/streaming.ts'
import { clockOf } from '../workspace/workspace.ts'
import type { RequestContext, Route } from './request-context.ts'
import { chooseScenarios, headerOf } from './select-scenarios.ts'

export interface Opening {
  readonly context: ScenarioContext
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly method: string
  readonly target: ScenarioTarget
  readonly route: Route
}

/** Named by the path, a header or a parameter, in this order of priority. */
export function workspaceName(
  { headers }: IncomingMessage,
  { workspace, parameters }: ScenarioTarget
): string | undefined {
  const header = headers['x-workspace']
  return (
    workspace ??
    (typeof header === 'string' ? header : undefined) ??
    parameters.get('workspace') ??
    undefined
  )
}

/** A link or an image in a page of another site creates no workspace. */
async function openWorkspace({ context, request, method, target }: Opening) {
  const name = workspaceName(request, target)
  if (name === undefined) return undefined
  if (method !== 'GET' || !isCrossSite(request.headers)) return context.workspaces.open(name)
  const found = await context.workspaces.find(name)
  if (found === undefined) throw new WorkspaceNotCreated()
  return found
}

/** Throws if a workspace name, a seed or a scenario is invalid. */
export async function openCall(opening: Opening): Promise<RequestContext> {
  const { context, request, target } = opening
  const workspace = await openWorkspace(opening)
  const applied = new Set<string>()
  const ours = { uploadRate: undefined as number | undefined }
  let seen: Body | undefined
  let reading: Promise<Body> | undefined

  async function readBody(): Promise<Body> {
    const { maxBodyBytes } = context.options
    const { uploadRate } = ours
    if (isAnnouncedOver(request, maxBodyBytes)) throw new BodyTooLarge()
    const bytes =
      uploadRate === undefined
        ? await readBytes(request, maxBodyBytes)
        : await collect(throttled(opening, uploadRate), maxBodyBytes)
    if (uploadRate !== undefined && bytes.length > 0) applied.add(uploadSlow.name)
    seen = readFields(bytes, request.headers['content-type'])
    return seen
  }

  function body(): Promise<Body> {
    reading ??= readBody()
    return reading
  }

  const selection = await chooseScenarios({ ...opening, workspace, body })
  ours.uploadRate = selection.get(uploadSlow.name)?.reading as number | undefined
  const base = context.kernel.baseUrl(request)
  return {
    ...opening,
    workspace,
    workspaceId: workspace?.id ?? '',
    base,
    apiBaseUrl: `${base}${workspace === undefined ? '' : `/w/${workspace.id}`}/api`,
    seed: seedOf(request, target) ?? workspace?.row.seed ?? DEFAULT_SEED,
    selection,
    now: () => clockOf(workspace?.row ?? NO_CLOCK, context.kernel.now()),
    body,
    seen: () => seen,
    applied,
    headers: {}
  }
}

const NO_CLOCK = { frozen: null, shift: 0 }

function seedOf(request: IncomingMessage, { parameters }: ScenarioTarget): string | undefined {
  const seed = parameters.get('seed') ?? headerOf(request, 'x-seed')
  if (seed === undefined) return undefined
  if (seed === '' || seed.length > MAX_SEED_LENGTH || /\p{Cc}/u.test(seed)) throw new SeedInvalid()
  return seed
}
