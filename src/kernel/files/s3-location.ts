import { UserError } from '../errors.ts'

export interface S3Keys {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string | undefined
}

/** A folder in a bucket of S3-compatible storage. */
export interface S3Location {
  /** For messages: the bucket and the prefix, without the options of the URL. */
  name: string
  bucket: string
  /** First part of all keys, without slashes at its ends; may be empty. */
  prefix: string
  /** URL of the bucket, without a slash at its end. */
  bucketUrl: string
  region: string
  keys: S3Keys
}

export const DEFAULT_REGION = 'us-east-1'

const EXAMPLE = 's3://bucket/prefix?endpoint=https://s3.example.com&region=us-east-1'
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const PREFIX = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/
const OPTIONS = ['endpoint', 'region']

export function isS3Url(text: string): boolean {
  return text.startsWith('s3:')
}

/** Throws `UserError` if it is not the URL of a bucket; the keys are never part of it. */
export function parseS3Url(text: string, keys: Partial<S3Keys>): S3Location {
  const url = URL.parse(text)
  if (url === null || url.protocol !== 's3:' || url.hash !== '') {
    throw new UserError(`--files must be a URL such as ${EXAMPLE}`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new UserError(
      '--files must not contain keys; set NONET_FILES_ACCESS_KEY and NONET_FILES_SECRET_KEY'
    )
  }
  const unknown = [...url.searchParams.keys()].find((name) => !OPTIONS.includes(name))
  if (unknown !== undefined) {
    throw new UserError(`--files has an unknown option ${unknown}; known are ${OPTIONS.join(', ')}`)
  }
  const bucket = url.host
  if (!BUCKET.test(bucket)) throw new UserError(`--files has no valid name of a bucket: ${bucket}`)
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '')
  if (prefix !== '' && !PREFIX.test(prefix)) {
    throw new UserError('--files must have a prefix of letters, digits, ., _, - and / only')
  }
  const region = url.searchParams.get('region') ?? DEFAULT_REGION
  if (!/^[a-z0-9-]+$/.test(region)) throw new UserError('--files has an invalid region')
  return {
    name: `s3://${bucket}${prefix === '' ? '' : `/${prefix}`}`,
    bucket,
    prefix,
    bucketUrl: bucketUrlOf(url.searchParams.get('endpoint'), bucket, region),
    region,
    keys: requireKeys(keys)
  }
}

/** Other servers than Amazon's rarely have a host name for each bucket. */
function bucketUrlOf(endpoint: string | null, bucket: string, region: string): string {
  if (endpoint === null) {
    const host = `s3.${region}.amazonaws.com`
    // A certificate for all buckets does not cover names with dots.
    return bucket.includes('.') ? `https://${host}/${bucket}` : `https://${bucket}.${host}`
  }
  const url = URL.parse(endpoint)
  const isValid =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    `${url.username}${url.password}${url.search}${url.hash}` === ''
  if (!isValid) throw new UserError('--files needs an http or https URL as its endpoint')
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}/${bucket}`
}

function requireKeys({ accessKeyId, secretAccessKey, sessionToken }: Partial<S3Keys>): S3Keys {
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new UserError(
      '--files needs NONET_FILES_ACCESS_KEY and NONET_FILES_SECRET_KEY in the environment, ' +
        'or filesAccessKey and filesSecretKey in the configuration file'
    )
  }
  return { accessKeyId, secretAccessKey, sessionToken }
}
