import { isObject, type JsonObject } from '../../../../kernel/json.ts'
import { mergePatch } from '../../../../kernel/merge-patch.ts'
import type { CopyOnWriteDocument } from './copy-on-write-document.ts'
import type { PatchLimits } from './limits.ts'

/** RFC 7396: members of the patch are set, members that are null are removed. */
export function applyMergePatch(
  patch: JsonObject,
  draft: CopyOnWriteDocument,
  limits: PatchLimits
): void {
  limits.put(limits.weigh(patch, 0))
  const root = draft.root()
  if (isObject(root)) draft.replaceRoot(mergePatch(root, patch))
}
