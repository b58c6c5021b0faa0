import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Body, collect, readBytes, readFields } from './body.ts'
import { paced } from './body-chunks.ts'
import type { Call, Route } from './call.ts'
import { chooseScenarios, headerOf } from './choose.ts'
import { DEFAULT_SEED, MAX_SEED_LENGTH, SeedInvalid } from './contract.ts'
import type { Room } from './room.ts'
import { uploadSlow } from './scenario/streaming.ts'
import type { Visit } from './visit.ts'
import { clockOf, type Workspace } from './workspace/workspace.ts'

export interface Opening {
  readonly room: Room
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly method: string
  readonly visit: Visit
  readonly route: Route
}

/** Named by the path, a header or a parameter; the first of them counts. */
export async function openWorkspace(
  room: Room,
  request: IncomingMessage,
  visit: Visit
): Promise<Workspace | undefined> {
  const header = request.headers['x-workspace']
  const name =
    visit.workspace ??
    (typeof header === 'string' ? header : undefined) ??
    visit.parameters.get('workspace') ??
    undefined
  return name === undefined ? undefined : room.workspaces.open(name)
}

/** Throws when a name, a seed or a scenario cannot be meant. */
export async function openCall(opening: Opening): Promise<Call> {
  const { room, request, visit } = opening
  const workspace = await openWorkspace(room, request, visit)
  const applied = new Set<string>()
  const ours = { uploadRate: undefined as number | undefined }
  let seen: Body | undefined
  let reading: Promise<Body> | undefined

  async function readBody(): Promise<Body> {
    const { maxBodyBytes } = room.options
    const { uploadRate } = ours
    const bytes =
      uploadRate === undefined
        ? await readBytes(request, maxBodyBytes)
        : await collect(paced(opening, uploadRate), maxBodyBytes)
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
  const base = room.kernel.baseUrl(request)
  return {
    ...opening,
    workspace,
    ws: workspace?.id ?? '',
    base,
    home: `${base}${workspace === undefined ? '' : `/w/${workspace.id}`}/api`,
    seed: seedOf(request, visit) ?? workspace?.row.seed ?? DEFAULT_SEED,
    selection,
    now: () => clockOf(workspace?.row ?? NO_CLOCK, room.kernel.now()),
    body,
    seen: () => seen,
    applied,
    headers: {}
  }
}

const NO_CLOCK = { frozen: null, shift: 0 }

function seedOf(request: IncomingMessage, { parameters }: Visit): string | undefined {
  const seed = parameters.get('seed') ?? headerOf(request, 'x-seed')
  if (seed === undefined) return undefined
  if (seed === '' || seed.length > MAX_SEED_LENGTH || /\p{Cc}/u.test(seed)) throw new SeedInvalid()
  return seed
}
