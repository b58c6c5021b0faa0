import { UserError } from '../../../../kernel/errors.ts'
import { ExportClient } from '../../../../kernel/exchange/export-client.ts'
import { openTarget } from '../../../../kernel/exchange/target-folder.ts'
import type { ConsoleEndpoint } from '../../../../kernel/service.ts'
import { type Written, writeArchive } from './write-archive.ts'
import { writeTree } from './write-tree.ts'

type Flags = Readonly<Record<string, unknown>>

/** Resolves to the output of the command. */
export async function runExport(
  endpoint: ConsoleEndpoint,
  target: string,
  flags: Flags,
  show: (done: number, total: number) => void
): Promise<string> {
  const baseUrl = baseUrlOf(flags)
  const client = new ExportClient(endpoint)
  await using folder = await openTarget(target, { isPublic: baseUrl !== undefined })
  try {
    const written =
      baseUrl === undefined
        ? await writeArchive(folder.path, client, flags['public-only'] === true, show)
        : await writeTree(folder.path, client, baseUrl, show)
    await folder.finish()
    return describe(written, target, baseUrl)
  } catch (cause) {
    if (cause instanceof UserError) throw cause
    throw new UserError(`Cannot export to ${target}: ${(cause as Error).message}`, { cause })
  }
}

/** Undefined without `--html`. */
function baseUrlOf(flags: Flags): string | undefined {
  const given = flags['base-url']
  if (flags.html !== true) {
    if (given === undefined) return undefined
    throw new UserError('--base-url is only for --html')
  }
  const url = typeof given === 'string' ? URL.parse(given) : null
  if (url !== null && /^https?:$/.test(url.protocol)) {
    return (url.origin + url.pathname).replace(/\/+$/, '')
  }
  throw new UserError('--html needs --base-url with the http or https URL of the published files')
}

function describe({ posts, files, missing }: Written, target: string, baseUrl?: string): string {
  const count = `${posts} ${posts === 1 ? 'post' : 'posts'}`
  const lost =
    missing === 0 ? '' : `\n  ${missing} files are missing in the storage and were left out`
  if (baseUrl !== undefined) {
    return `Exported ${count} as ${files} files to ${target}; publish them at ${baseUrl}/${lost}`
  }
  return `Exported ${count} and ${files} media files to ${target}${lost}`
}
