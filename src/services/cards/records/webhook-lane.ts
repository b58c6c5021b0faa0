/** The jobs of a webhook are run one after the other. */
export function webhookLane(id: string): string {
  return `webhook:${id}`
}
