/** Why a schema cannot be used. */
export class SchemaRefused extends Error {
  override name = 'SchemaRefused'
}
