import type { Finding } from '../../../kernel/service.ts'
import type { MountedOperation } from '../routing/mounted-operations.ts'
import type { ServedApi } from '../served-api.ts'

const RESERVED = '__nonet'
const ROOT = `/${RESERVED}`
const ENDS = [undefined, '/', '?']

/** Whether a request is for the admin pages and not for the mocked API. */
export function isForAdmin(url: string | undefined): boolean {
  return url?.startsWith(ROOT) === true && ENDS.includes(url[ROOT.length])
}

/** Warnings for operations that cannot be reached because the admin pages use their paths. */
export function reservedFindings(mounted: readonly MountedOperation<ServedApi>[]): Finding[] {
  return mounted.flatMap(({ mount, operation, basePath: base }) => {
    const [, first] = `${base}${operation.path}`.split('/')
    if (first !== RESERVED) return []
    return [
      {
        level: 'warning',
        where: `${mount.label}#${operation.pointer}`,
        text: `${operation.method} ${base}${operation.path} cannot be reached: the admin pages use this path; disable them with --no-admin`
      }
    ]
  })
}
