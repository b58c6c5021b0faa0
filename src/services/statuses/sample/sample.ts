import { readFile } from 'node:fs/promises'
import type { Files } from '../../../kernel/files/files.ts'
import type { ImportedAccount, ImportedPost, StoredFile } from '../import/protocol.ts'
import type { Entity } from '../records/record.ts'
import { hasAccounts } from '../store/browse.ts'
import { readRevision } from '../store/revision.ts'
import type { StatusStore } from '../store/store.ts'

const FOLDER = new URL('../../../../data/statuses/', import.meta.url)
/** Offset of width and height in a PNG file. */
const PNG_WIDTH_AT = 16
const PNG_HEIGHT_AT = 20

/** The format of `sample.json`. */
interface Sample {
  account: Pick<
    ImportedAccount,
    'userName' | 'name' | 'bio' | 'website' | 'location' | 'createdAt' | 'formerNames'
  > & { id: string; avatar: string }
  posts: readonly SamplePost[]
}

interface SamplePost extends Pick<ImportedPost, 'id' | 'createdAt' | 'text' | 'lang' | 'summary'> {
  /** In the order of the text. */
  entities?: readonly (Pick<Entity, 'type' | 'href' | 'display'> & { text: string })[]
  media?: readonly { file: string; alt: string }[]
  /** Ids of posts. */
  replyTo?: string
  quoted?: string
  likes?: number
  reposts?: number
}

/** Whether nothing was ever stored, not even a sample that was removed later. */
export async function isFirstStart(store: StatusStore): Promise<boolean> {
  const revision = await store.read(readRevision)
  return revision === undefined && !(await store.read(hasAccounts))
}

/** Stores the account of `data/statuses`, which shows what the service does. */
export async function storeSample(store: StatusStore, files: Files): Promise<void> {
  const { account, posts }: Sample = JSON.parse(
    await readFile(new URL('sample.json', FOLDER), 'utf8')
  )
  const { avatar, ...facts } = account
  const avatarFile = { file: await storePicture(avatar, store, files), sourceKey: avatar }
  await store.importAccount({
    account: { ...facts, source: 'sample', avatar: avatarFile },
    newAccount: false,
    dryRun: false
  })
  const imported: ImportedPost[] = []
  for (const post of posts) imported.push(await importedPost(post, account.userName, store, files))
  await store.importPosts(account.id, imported, false)
}

async function storePicture(name: string, store: StatusStore, files: Files): Promise<StoredFile> {
  const bytes = await readFile(new URL(name, FOLDER))
  const { hash, size } = await files.put(
    (async function* content() {
      yield bytes
    })()
  )
  const file = {
    hash,
    size,
    mediaType: 'image/png',
    width: bytes.readUInt32BE(PNG_WIDTH_AT),
    height: bytes.readUInt32BE(PNG_HEIGHT_AT)
  }
  await store.addUpload(file)
  return file
}

async function importedPost(
  post: SamplePost,
  userName: string,
  store: StatusStore,
  files: Files
): Promise<ImportedPost> {
  const { id, createdAt, text, lang, summary, replyTo, quoted, likes, reposts } = post
  const media: ImportedPost['media'][number][] = []
  for (const { file: name, alt } of post.media ?? []) {
    const file = await storePicture(name, store, files)
    const { width, height } = file
    media.push({ type: 'photo', file, alt, width, height, sourceKey: name })
  }
  return {
    id,
    visibility: 'public',
    kind: replyTo === undefined ? 'post' : 'reply',
    text,
    entities: locateEntities(text, post.entities ?? []),
    createdAt,
    media,
    counts: { likes: likes ?? 0, reposts: reposts ?? 0, replies: null, quotes: null },
    sensitive: false,
    source: 'sample',
    ...(lang !== undefined && { lang }),
    ...(summary !== undefined && { summary }),
    ...(replyTo !== undefined && { replyTo: { id: replyTo, userName } }),
    ...(quoted !== undefined && { quotedId: quoted })
  }
}

/** Positions count code points. */
function locateEntities(text: string, entities: NonNullable<SamplePost['entities']>): Entity[] {
  let from = 0
  return entities.map(({ text: part, ...entity }) => {
    const index = text.indexOf(part, from)
    from = index + part.length
    const start = Array.from(text.slice(0, index)).length
    return { ...entity, start, end: start + Array.from(part).length }
  })
}
