/** The schema cannot be used; the message is the reason. */
export class SchemaRejected extends Error {
  override name = 'SchemaRejected'
}
