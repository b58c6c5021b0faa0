import { UserError } from '../kernel/errors.ts'
import { compareFiles, type FileComparison, type ReadRows } from '../kernel/files/compare.ts'
import { type Diagnosis, diagnosed, megabytes } from './diagnosis.ts'
import { type FileStorage, nameOfFiles, openFileDriver } from './file-location.ts'
import { toUserError } from './unavailable-files.ts'

/** Compares the files of a service with its rows; `read` is undefined if it has no tables yet. */
export async function diagnoseFilesIn(
  storage: FileStorage,
  service: string,
  read: ReadRows | undefined
): Promise<readonly Diagnosis[]> {
  const driver = await openFileDriver(service, storage)
  const where = nameOfFiles(service, storage)
  let found: FileComparison | undefined
  const main = await diagnosed(`files of ${service} in ${where}`, async () => {
    found = await compareFiles(read, driver).catch((cause) => explain(cause, where))
    if (!found.isRegistered) throw new UserError(OTHER_FOLDER)
    return `${found.referenced} files, ${megabytes(found.bytes)}`
  })
  await driver.close()
  return found === undefined ? [main] : [main, ...differences(service, storage, found)]
}

const OTHER_FOLDER =
  'they belong to other tables, or these tables to the files in another folder; choose the data ' +
  'folder of these tables with --data, which all machines that use one database have to share, ' +
  'or their bucket with --files, or restore a backup here with nonet restore --force'

function differences(
  service: string,
  { files }: FileStorage,
  found: FileComparison
): readonly Diagnosis[] {
  const { referenced, missing, orphaned, incomplete, isRegistered } = found
  const findings: Diagnosis[] = []
  if (missing > 0) {
    findings.push({
      ok: false,
      what: `missing files of ${service}`,
      advice:
        `${missing} of ${referenced} files that its rows refer to are missing or incomplete; ` +
        'copy them from another machine, or restore a backup with nonet restore --force'
    })
  }
  if (orphaned + incomplete > 0) {
    const other = files === undefined ? '' : 'nonet does not remove them'
    const remedy = isRegistered
      ? 'nonet removes them while it runs, an hour after they were stored'
      : other ||
        `nonet does not remove them, but nonet reset ${service} does, with all data of ${service}`
    findings.push({
      ok: true,
      what: `orphaned files of ${service}`,
      advice: `no row refers to ${orphaned} files, and ${incomplete} are incomplete; ${remedy}`
    })
  }
  return findings
}

function explain(error: unknown, where: string): never {
  const cause = toUserError(error, where)
  if (!(cause instanceof Error && 'syscall' in cause)) throw cause
  const text = `${cause.message}; give the user who runs nonet the rights to it`
  throw new UserError(text, { cause })
}
