import type { IncomingMessage } from 'node:http'
import { createRequestReader } from '../../../kernel/exchange/request-reader.ts'
import type { StatusContext } from '../context.ts'
import {
  AccountNameTaken,
  AccountUnknown,
  FileUnknown,
  ImportAborted,
  ImportInvalid,
  ImportTooLarge
} from '../contract.ts'
import {
  type AccountRequest,
  type EndRequest,
  type KnownMediaRequest,
  MAX_BATCH_BYTES,
  type PostsRequest,
  type StoredFile
} from '../import/protocol.ts'
import { isPostId } from '../records/post-id.ts'
import { isUserName } from '../records/user-name.ts'
import { hasAccount } from '../store/browse.ts'
import { readSources } from '../store/uploads.ts'
import { SCHEMAS } from './schemas.ts'
import { storeFile } from './store-file.ts'

/** Handles the requests of the import command; each stores all that was sent or nothing. */
export type Receiver = Readonly<Record<string, (request: IncomingMessage) => Promise<object>>>

export function createReceiver({ kernel, options, store, images }: StatusContext): Receiver {
  const { files } = kernel
  const readRequest = createRequestReader({
    schemas: SCHEMAS,
    maxBytes: MAX_BATCH_BYTES,
    errors: {
      tooLarge: (maxBytes) => new ImportTooLarge(maxBytes),
      aborted: () => new ImportAborted(),
      invalid: (problem) => new ImportInvalid(problem)
    }
  })

  /** Throws if a file is not stored; the others are kept until the transaction. */
  async function keepFiles(hashes: readonly string[]): Promise<void> {
    for (const hash of new Set(hashes)) {
      if ((await files.keep(hash)) === undefined) throw new FileUnknown(hash)
    }
  }

  return {
    async account(raw) {
      const request = await readRequest<AccountRequest>(raw, 'account')
      const { account, dryRun } = request
      checkNames([account, ...account.formerNames])
      const hashes = [account.avatar, account.header].flatMap((one) => one?.file.hash ?? [])
      if (!dryRun) {
        await keepFiles(hashes)
        await store.removeSample()
      }
      const outcome = await store.importAccount(request)
      if ('taken' in outcome) throw new AccountNameTaken(account.userName, outcome.taken)
      return outcome.response
    },

    async files(raw) {
      const { maxFileBytes } = options
      const file = await storeFile(raw, { files, images: await images(), maxFileBytes })
      await store.addUpload(file)
      return file
    },

    async known(raw) {
      const { keys } = await readRequest<KnownMediaRequest>(raw, 'known')
      const known: [string, StoredFile][] = []
      for (const [key, file] of await store.read(() => readSources(keys))) {
        // A file that was lost is uploaded again.
        if ((await files.size(file.hash)) === file.size) known.push([key, file])
      }
      return Object.fromEntries(known)
    },

    async posts(raw) {
      const { account, posts, dryRun } = await readRequest<PostsRequest>(raw, 'posts')
      checkPosts(posts, dryRun)
      if (!dryRun) {
        if (!(await store.read(() => hasAccount(account)))) throw new AccountUnknown(account)
        const media = posts.flatMap((post) => post.media)
        const hashes = media.flatMap(({ file, posterHash }) => [file?.hash, posterHash])
        await keepFiles(hashes.filter((hash) => hash !== undefined))
      }
      return { results: await store.importPosts(account, posts, dryRun) }
    },

    async 'remove-sample'() {
      return { removed: await store.removeSample() }
    },

    async end(raw) {
      await readRequest<EndRequest>(raw, 'end')
      await store.forgetUploads()
      return {}
    }
  }
}

function checkNames(names: readonly { userName: string }[]): void {
  const wrong = names.find(({ userName }) => !isUserName(userName))
  if (wrong !== undefined) throw new ImportInvalid(`${wrong.userName} is not a user name`)
}

/** What the schema cannot tell. */
function checkPosts(posts: PostsRequest['posts'], dryRun: boolean): void {
  for (const { id, createdAt, editedAt, media } of posts) {
    if (!isPostId(id)) throw new ImportInvalid(`${id} is not an id of a post`)
    for (const time of [createdAt, editedAt ?? createdAt]) {
      if (Number.isNaN(Date.parse(time))) throw new ImportInvalid(`${time} is not a time`)
    }
    if (!dryRun && media.some(({ file }) => file === undefined)) {
      throw new ImportInvalid(`The post ${id} has media without a file; upload them first`)
    }
  }
}
