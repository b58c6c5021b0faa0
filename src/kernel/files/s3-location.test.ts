import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UserError } from '../errors.ts'
import { parseListing, parseS3Error } from './s3-listing.ts'
import { parseS3Url } from './s3-location.ts'

const KEYS = { accessKeyId: 'a', secretAccessKey: 'b' }

test('a URL names the bucket, the prefix and where they are', () => {
  const rows: [url: string, bucketUrl: string, prefix: string, region: string][] = [
    ['s3://my-bucket', 'https://my-bucket.s3.us-east-1.amazonaws.com', '', 'us-east-1'],
    ['s3://my-bucket/', 'https://my-bucket.s3.us-east-1.amazonaws.com', '', 'us-east-1'],
    [
      's3://b.example.com/a/b_c/',
      'https://s3.us-east-1.amazonaws.com/b.example.com',
      'a/b_c',
      'us-east-1'
    ],
    [
      's3://bucket/x?region=eu-west-3',
      'https://bucket.s3.eu-west-3.amazonaws.com',
      'x',
      'eu-west-3'
    ],
    [
      's3://bucket/x?endpoint=http://127.0.0.1:9000',
      'http://127.0.0.1:9000/bucket',
      'x',
      'us-east-1'
    ],
    [
      's3://bucket?endpoint=https://s3.example/p/&region=auto',
      'https://s3.example/p/bucket',
      '',
      'auto'
    ]
  ]
  for (const [url, bucketUrl, prefix, region] of rows) {
    const found = parseS3Url(url, KEYS)
    assert.deepEqual(
      [found.bucketUrl, found.prefix, found.region],
      [bucketUrl, prefix, region],
      url
    )
  }
  assert.equal(parseS3Url('s3://bucket/a/b?endpoint=http://x', KEYS).name, 's3://bucket/a/b')
})

test('a URL that cannot be used is rejected with a sentence, without its keys', () => {
  const rows: [url: string, says: RegExp][] = [
    ['https://bucket', /must be a URL such as s3:/],
    ['nothing', /must be a URL such as s3:/],
    ['s3://b/x', /no valid name of a bucket: b$/],
    ['s3://Bucket/x', /no valid name of a bucket/],
    ['s3://key:hidden@bucket/x', /must not contain keys; set NONET_FILES_ACCESS_KEY/],
    ['s3://bucket/x?acl=public', /unknown option acl; known are endpoint, region/],
    ['s3://bucket/../x y', /letters, digits/],
    ['s3://bucket/.x', /letters, digits/],
    ['s3://bucket?region=EU/1', /invalid region/],
    ['s3://bucket?endpoint=ftp://x', /http or https URL as its endpoint/],
    ['s3://bucket?endpoint=http://u:p@x', /http or https URL as its endpoint/],
    ['s3://bucket?endpoint=x', /http or https URL as its endpoint/]
  ]
  for (const [url, says] of rows) {
    assert.throws(
      () => parseS3Url(url, KEYS),
      (error: Error) => {
        assert.ok(error instanceof UserError, url)
        assert.match(error.message, says, url)
        assert.ok(!error.message.includes('hidden'))
        return true
      }
    )
  }
  assert.throws(
    () => parseS3Url('s3://bucket', { accessKeyId: 'a' }),
    /needs NONET_FILES_ACCESS_KEY/
  )
})

test('a listing has keys, sizes, times and the token of the next page', () => {
  const page = (more: string) =>
    `<ListBucketResult>${more}<Contents><Key>a/b</Key><LastModified>2026-01-02T03:04:05.000Z` +
    '</LastModified><Size>7</Size></Contents></ListBucketResult>'
  const objects = [{ key: 'a/b', size: 7, modified: Date.UTC(2026, 0, 2, 3, 4, 5) }]
  const next = '<NextContinuationToken>a&amp;&#x26;&#38;&lt;+/=</NextContinuationToken>'
  assert.deepEqual(parseListing(page('<IsTruncated>false</IsTruncated>')), {
    objects,
    next: undefined
  })
  assert.deepEqual(parseListing(page(`<IsTruncated>true</IsTruncated>${next}`)), {
    objects,
    next: 'a&&&<+/='
  })
  assert.deepEqual(parseListing('<ListBucketResult/>'), { objects: [], next: undefined })
})

test('an error has a code and a message', () => {
  const error = '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>No</Message></Error>'
  assert.equal(parseS3Error(error), 'AccessDenied: No')
  assert.equal(parseS3Error('<Error xmlns="x"><Code>A</Code></Error>'), 'A')
  assert.equal(parseS3Error('<CopyObjectResult/>'), undefined)
})
