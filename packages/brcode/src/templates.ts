import { type Report, refuse } from './error.ts'
import { issueAt, issueMissing } from './issue.ts'
import { PIX } from './norm.ts'
import { type BrObject, type Level, readLevel, type Template } from './tlv.ts'

/** The template of the account, any of 26 to 51: one belongs to Pix, others may to other arrangements (EMVCo MPM, section 4). */
export function accountOf(level: Level, tolerate: Report): Template {
  const account = templateOfPix(level, 26, 51, tolerate)
  return account ?? refuse(issueAt({ id: '26' }, 'not-pix', `a template of ${PIX} in 26 to 51`))
}

/** The template of a recurrence, any of 80 to 99 (Manual de Padrões para Iniciação do Pix, 2.8). */
export function recurrenceOf(level: Level, tolerate: Report): Template | undefined {
  return templateOfPix(level, 80, 99, tolerate, hasLocation)
}

/** The template 62, which holds the txid. */
export function extraOf(level: Level): Template {
  const object = level.at[62] ?? refuse(issueMissing(62, 'a template with 05'))
  return readLevel(object.value, refuse, object)
}

type Counts = (template: Template, tolerate: Report) => boolean

/** The one template of a range that belongs to Pix and counts. */
function templateOfPix(
  level: Level,
  first: number,
  last: number,
  tolerate: Report,
  counts: Counts = hasName,
) {
  let found: Template | undefined
  for (let id = first; id <= last && id < level.at.length; id++) {
    const object = level.at[id]
    if (!object) continue
    const parts = readParts(object, tolerate)
    if (!counts(parts, tolerate)) continue
    if (found) refuse(issueAt(object, 'duplicate', `no template of Pix after ${found.parent.id}`))
    found = parts
  }
  return found
}

function hasName({ at }: Template): boolean {
  return at[0]?.value.toLowerCase() === PIX
}

/** Codes from before recurrences hold something else there: a fault by now, but none for a lenient reader to mind. */
function hasLocation(template: Template, tolerate: Report): boolean {
  if (!hasName(template)) return false
  if (template.at[25]) return true
  if (template.objects.length === 1 || tolerate === refuse)
    tolerate(issueMissing(25, 'the location of a recurrence', template.parent))
  return false
}

/** What other arrangements write into their templates is no reason to lose a payment: the lenient profile only notes it. */
function readParts(template: BrObject, tolerate: Report): Template {
  const report: Report = (issue) => (template.value.toLowerCase().includes(PIX) ? refuse : tolerate)(issue)
  return readLevel(template.value, report, template)
}
