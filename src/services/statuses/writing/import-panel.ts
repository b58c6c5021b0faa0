import { type Reason, totalOf } from '../../../kernel/exchange/reasons.ts'
import { html, type Markup } from '../../../kernel/html.ts'
import type { ImportReport } from '../import/report.ts'
import { countText } from '../pages/text.ts'
import type { ImportJob } from './archive-imports.ts'
import { pageUrl, type WritingView } from './view.ts'

type Panel = Pick<WritingView, 'prefix' | 'actionOf' | 'maxArchiveBytes' | 'job'>

/** Import by upload. Without its script, the browser shows the page of the import. */
export function renderImportPanel(panel: Panel): Markup {
  const { prefix, actionOf, maxArchiveBytes, job } = panel
  return html`<section class="panel" id="import" aria-labelledby="import-title"><header><h2 class="panel-title" id="import-title">Import an archive</h2></header>
<p class="small soft">The zip file that X or Mastodon has made of your account. Posts keep their ids and times; a second import stores nothing twice.</p>
<form class="choices" id="import-form" method="post" enctype="multipart/form-data" action="${actionOf('/import/archive')}" data-jobs="${prefix}/import/archive/" data-max="${maxArchiveBytes}">
<label>Zip file, or all parts of one archive <input type="file" name="archive" accept=".zip,application/zip" multiple required></label>
<label>New posts are visible to <select name="visibility"><option value="public">everyone</option><option value="hidden">only you</option></select></label>
<label><input type="checkbox" name="skip-replies-to-others"> <span>Leave out replies to others</span></label>
<label><input type="checkbox" name="skip-retweets"> <span>Leave out reposts</span></label>
<label><input type="checkbox" name="dry-run"> <span>Only report what would be stored</span></label>
<div><button class="quiet" id="import-send">Import</button></div>
</form>
<div id="import-state" aria-live="polite">${job !== undefined && renderJob(job, prefix)}</div>
</section>`
}

/** The progress or the report of an import. */
export function renderJob(job: ImportJob, prefix: string): Markup {
  if (job.state === 'failed') {
    return html`<div class="note" role="alert"><p>The import has stopped: ${job.message}</p></div>`
  }
  if (job.report !== undefined) return renderReport(job.report, prefix)
  const { done, total } = job
  return html`<p id="import-progress">${total === 0 ? 'The archive is being checked.' : 'Posts are being stored.'}</p>
<progress aria-labelledby="import-progress"${total > 0 && html` max="${total}" value="${done}"`}></progress>
<p class="small soft">You can leave this page; <a href="${prefix}/import/archive/${job.id}">the report</a> will be there.</p>`
}

function renderReport(report: ImportReport, prefix: string): Markup {
  const { account, dryRun, added, updated, unchanged, skipped, hidden, media, warnings } = report
  const figure = (name: string, count: number) =>
    html`<li><b>${count.toLocaleString('en')}</b> ${name}</li>`
  const shown = pageUrl(prefix, { account }, '#posts')
  return html`<div class="report"><h3>${dryRun ? 'An import would store' : 'Imported'} posts of @${account}</h3>
<ul class="facts">${figure('added', added)}${figure('updated', updated)}${figure('unchanged', unchanged)}${figure('skipped', totalOf(skipped))}</ul>
${renderReasons('Skipped', skipped)}
${renderReasons('Hidden', hidden)}
${renderReasons('Media missing', media.missing)}
${media.uploaded + media.stored > 0 && html`<p class="small">Media: ${countText(media.uploaded, 'file')} stored, ${media.stored.toLocaleString('en')} known already.</p>`}
${warnings.map((warning) => html`<p class="small">Warning: ${warning}</p>`)}
${!dryRun && html`<p><a href="${shown}">Show the posts</a></p>`}</div>`
}

function renderReasons(title: string, reasons: readonly Reason[]): Markup | false {
  if (reasons.length === 0) return false
  return html`<p class="small">${title}:</p><ul class="small">${reasons.map(
    ({ reason, count, examples }) =>
      html`<li>${count.toLocaleString('en')} ${reason} <span class="soft">(${examples.join(', ')}${count > examples.length && ', …'})</span></li>`
  )}</ul>`
}
