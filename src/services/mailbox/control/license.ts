/** For clients that read the licence of EmailEngine; no licence key is needed here. */
export const LICENSE = { active: true, type: 'nonet (MIT)', details: false } as const

export async function showLicense(): Promise<object> {
  return LICENSE
}
