import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { digest, toBase62 } from '../api/auth/secrets.ts'
import { TooManyWorkspaces } from '../contract.ts'
import type { ScenarioStore } from '../store/store.ts'
import { pupilSecrets } from './pupil-cookie.ts'
import type { Workspace } from './workspace.ts'
import type { Workspaces } from './workspaces.ts'

const SECRET_BYTES = 32
/** 131 bits: everyone who knows the id can use the workspace, so it cannot be guessed. */
const ID_LENGTH = 22
const TAG_LENGTH = 5
/** Without characters that look alike. */
const TAG_CHARACTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
/** Two tags are the same now and then. */
const ATTEMPTS = 5

/** A browser with a workspace of its own. */
export interface Pupil {
  readonly workspace: Workspace
  /** Value of the cookie. */
  readonly secret: string
}

/** Browsers that have opened the demo application; the cookie alone tells which one it is. */
export interface Pupils {
  /** Undefined if the browser has no workspace, or it has expired. */
  find: (request: IncomingMessage) => Promise<Pupil | undefined>
  /** Creates a workspace; throws if there are too many. */
  join: () => Promise<Pupil>
}

export function createPupils(store: ScenarioStore, workspaces: Workspaces): Pupils {
  async function findOne(secret: string): Promise<Pupil | undefined> {
    const row = await store.findPupil(digest(secret))
    const workspace = row && (await workspaces.find(row.id))
    return workspace && { workspace, secret }
  }

  return {
    async find({ headers }) {
      for (const secret of pupilSecrets(headers.cookie)) {
        const found = await findOne(secret)
        if (found !== undefined) return found
      }
      return undefined
    },
    async join() {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const secret = randomBytes(SECRET_BYTES).toString('base64url')
        const tag = createTag()
        const id = `demo-${tag}-${toBase62(randomBytes(ID_LENGTH))}`
        const workspace = await workspaces.create({ id, tag, pupil: digest(secret) })
        if (workspace !== undefined) return { workspace, secret }
      }
      throw new TooManyWorkspaces()
    }
  }
}

function createTag(): string {
  const bytes = [...randomBytes(TAG_LENGTH)]
  return bytes.map((byte) => TAG_CHARACTERS[byte % TAG_CHARACTERS.length]).join('')
}
