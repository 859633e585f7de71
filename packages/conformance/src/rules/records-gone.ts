import type { ShownRecord } from '../contract/kinds.ts'
import { findAction, findDeletedState, findDeletion } from '../contract/kinds.ts'
import type { KnownRecord } from '../model/records.ts'
import { hasConcurrentWrite } from '../model/records.ts'
import type { Cites } from '../report/report.ts'
import { mayLag, mayShow } from './fields.ts'
import { concernsState, expectCode } from './refusal-code.ts'
import type { Rule, RuleContext } from './rule.ts'
import { cite, citeStatement } from './rule.ts'

export const recordsGone: Rule = {
  id: 'records-gone',
  says: 'A deleted record is neither read nor listed, and no operation accepts its id.',
  advice: 'Leave deleted records out of every query.',
  settles: ['effects/gone'],
  needs: ['requestBody', 'target', 'times'],
  /** Expects that a request which names a deleted record is refused, and reports a list that shows one. */
  read(exchange, model, report) {
    const operationId = exchange.operation?.id
    // The record of a paid code is left out: a payment does not name it by its id.
    const namedRecords = model.records
      .findNamed(exchange)
      .filter(({ kind }) => findAction(kind, operationId))
    for (const record of namedRecords)
      if (record.presence === 'gone') expectIdRefused(record, { exchange, model, report })

    for (const shownRecord of exchange.records) {
      const record = model.records.find(shownRecord.kind, shownRecord.id)
      if (record?.presence !== 'gone' || namedRecords.includes(record)) continue
      if (hasConcurrentWrite(exchange, record)) continue

      const message = `${operationId} shows a deleted ${record.kind.name}.`
      report.failed(exchange, citeDeletion(record, shownRecord), message, {
        about: 'list',
        mayLag: model.records.isRecent(record, exchange),
      })
    }
  },
}

/** Expects that a request which names a deleted record is refused, with the code that is declared for that. */
function expectIdRefused(record: KnownRecord, { exchange, model, report }: RuleContext): void {
  const { operation, outcome, status, records } = exchange
  const { kind, id } = record
  if (outcome === 'unknown') return

  // Of deletions at the same time, one is the first, and the others must be refused. Any other request
  // may have come before the deletion.
  const isDeletion = findAction(kind, operation?.id) === 'delete'
  if (!isDeletion && hasConcurrentWrite(exchange, record)) return

  const shown = records.find((other) => other.id === id)
  report.expect(
    outcome !== 'accepted',
    {
      evidence: exchange,
      cites: citeDeletion(record, shown),
      about: 'id',
      mayLag: mayLag(record, { exchange, model }),
    },
    () => `${operation?.id} accepts the id of a deleted ${kind.name} (${status}).`,
  )

  const action = findAction(kind, operation?.id) ?? ''
  const deletedState = findDeletedState(kind)
  const transition = deletedState?.on?.[action]
  const cites = cite(transition, deletedState)
  if (concernsState(exchange))
    expectCode(transition?.refusal, `${operation?.id} of a deleted ${kind.name}`, {
      cites,
      exchange,
      report,
    })
}

/**
 * Cites what a response contradicts that shows a deleted record. If the record is unchanged, it was not
 * deleted at all, against a fact. If it is shown in another way, that is against an assumption.
 */
function citeDeletion({ kind, fields }: KnownRecord, shown: ShownRecord | undefined): Cites {
  const isUnchanged =
    shown && Object.entries(shown.fields).every(([name, value]) => mayShow(fields.get(name), value))
  return isUnchanged ? cite(findDeletion(kind)) : citeStatement(findDeletedState(kind), 'gone')
}
