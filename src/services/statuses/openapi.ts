export function openapi(baseUrl: string): object {
  return {
    openapi: '3.1.0',
    info: { title: 'Public posts', version: '1' },
    servers: [{ url: baseUrl }],
    paths: {}
  }
}
