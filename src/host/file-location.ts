import { join, resolve } from 'node:path'
import type { FileDriver } from '../kernel/files/driver.ts'
import type { S3Location } from '../kernel/files/s3-location.ts'
import type { Configuration } from './configuration-reader.ts'

/** Where the files of all services are. */
export interface FileStorage {
  /** The data folder. */
  folder: string
  /** Bucket with the files of services; undefined if they are in the folder. */
  files?: S3Location | undefined
  ephemeral: boolean
}

interface DriverOptions {
  /** Called with what is wrong, for the operator. */
  report?: (problem: string) => void
}

/** The folder with the files of a service. */
export function filesFolder(serviceFolder: string): string {
  return join(serviceFolder, 'files')
}

/** The bucket that is configured; throws `UserError` if its URL is invalid or a key is missing. */
export async function bucketOf(
  configuration: Pick<
    Configuration,
    'files' | 'filesAccessKey' | 'filesSecretKey' | 'filesSessionToken'
  >
): Promise<S3Location | undefined> {
  if (configuration.files === undefined) return undefined
  const { parseS3Url } = await import('../kernel/files/s3-location.ts')
  const { filesAccessKey, filesSecretKey, filesSessionToken } = configuration
  return parseS3Url(configuration.files, {
    ...(filesAccessKey !== undefined && { accessKeyId: filesAccessKey }),
    ...(filesSecretKey !== undefined && { secretAccessKey: filesSecretKey }),
    sessionToken: filesSessionToken
  })
}

/** The files of a service. An ephemeral run has them in its folder, which is deleted on exit. */
export async function openFileDriver(
  service: string,
  { folder, files, ephemeral }: FileStorage,
  options: DriverOptions = {}
): Promise<FileDriver> {
  const root = filesFolder(join(folder, service))
  if (files === undefined || ephemeral) {
    const { openFileFolder } = await import('../kernel/files/folder.ts')
    return openFileFolder(root, { durable: !ephemeral })
  }
  const { openS3Files } = await import('../kernel/files/s3.ts')
  return openS3Files(files, { name: service, folder: root, ...options })
}

/** How messages call the location of a service's files. */
export function nameOfFiles(service: string, { folder, files, ephemeral }: FileStorage): string {
  if (files === undefined || ephemeral) return filesFolder(join(folder, service))
  return `${files.name}/${service}`
}

export function isSameLocation(one: FileStorage, other: FileStorage): boolean {
  const urls = [one, other].map(({ files }) => files && `${files.bucketUrl}/${files.prefix}`)
  if (urls[0] !== urls[1]) return false
  return urls[0] !== undefined || resolve(one.folder) === resolve(other.folder)
}
