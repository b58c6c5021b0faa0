/** Why a schema cannot be used. */
export class SchemaRejected extends Error {
  override name = 'SchemaRefused'
}
