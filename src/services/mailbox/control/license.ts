/** For clients that ask EmailEngine for its licence: none is needed. */
export const LICENSE = { active: true, type: 'nonet (MIT)', details: false } as const

export async function showLicense(): Promise<object> {
  return LICENSE
}
