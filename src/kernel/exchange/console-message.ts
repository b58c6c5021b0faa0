/** What the console says about a request that it rejected. */
export async function messageOf(response: Response): Promise<string> {
  const text = await response.text()
  try {
    const { message, error } = JSON.parse(text)
    return String(message ?? error)
  } catch {
    return `The running nonet rejected the request with status ${response.status}`
  }
}
