import type { ShownRecord } from '../contract/kinds.ts'
import { findAction, findDeletedState, findDeletion } from '../contract/kinds.ts'
import type { Exchange } from '../model/exchange.ts'
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
    const namedRecord = model.records.findInPath(exchange)
    const isNamedGone = namedRecord?.presence === 'gone'
    if (isNamedGone && !mayComeBeforeDeletion(namedRecord, exchange)) {
      expectIdRefused(namedRecord, { exchange, model, report })
      expectCodeOfDeleted(namedRecord, { exchange, model, report })
    }

    for (const shownRecord of exchange.records) {
      const record = model.records.find(shownRecord.kind, shownRecord.id)
      // The record that the request names is judged above.
      const isInList = record !== namedRecord
      if (record?.presence === 'gone' && isInList)
        reportDeletedShown(record, shownRecord, { exchange, model, report })
    }
  },
}

/** Reports that a list shows a deleted record, unless the deletion is on its way at the same time. */
function reportDeletedShown(
  record: KnownRecord,
  shownRecord: ShownRecord,
  { exchange, model, report }: RuleContext,
): void {
  if (hasConcurrentWrite(exchange, record)) return

  const message = `${exchange.operation?.id} shows a deleted ${record.kind.name}.`
  report.failed(exchange, citeDeletion(record, shownRecord), message, {
    about: 'list',
    mayLag: model.records.isRecent(record, exchange),
  })
}

/**
 * Whether a request may have come before a deletion at the same time. Of several deletions, one is the first,
 * and the others must be refused.
 */
function mayComeBeforeDeletion(record: KnownRecord, exchange: Exchange): boolean {
  const isDeletion = findAction(record.kind, exchange.operation?.id) === 'delete'
  return !isDeletion && hasConcurrentWrite(exchange, record)
}

/** Expects that a request which names a deleted record is refused. */
function expectIdRefused(record: KnownRecord, { exchange, model, report }: RuleContext): void {
  const { operation, outcome, status, records } = exchange
  const { kind, id } = record
  if (outcome === 'unknown') return

  const shownRecord = records.find((shown) => shown.id === id)
  report.expect(
    outcome !== 'accepted',
    {
      evidence: exchange,
      cites: citeDeletion(record, shownRecord),
      about: 'id',
      mayLag: mayLag(record, { exchange, model }),
    },
    () => `${operation?.id} accepts the id of a deleted ${kind.name} (${status}).`,
  )
}

/** Expects that the refusal of a request which names a deleted record has the code that is declared for it. */
function expectCodeOfDeleted({ kind }: KnownRecord, { exchange, report }: RuleContext): void {
  const { operation } = exchange
  const action = findAction(kind, operation?.id)
  if (action === undefined || !concernsState(exchange)) return

  const deletedState = findDeletedState(kind)
  const transition = deletedState?.on?.[action]
  expectCode(transition?.refusal, `${operation?.id} of a deleted ${kind.name}`, {
    cites: cite(transition, deletedState),
    exchange,
    report,
  })
}

/**
 * Cites what a response contradicts that shows a deleted record. If the record is unchanged, it was not
 * deleted at all, against a fact. If it is shown in another way, that is against an assumption.
 */
function citeDeletion(record: KnownRecord, shownRecord: ShownRecord | undefined): Cites {
  const { kind } = record
  const isUnchanged = shownRecord !== undefined && isShownAsBefore(shownRecord, record)
  return isUnchanged ? cite(findDeletion(kind)) : citeStatement(findDeletedState(kind), 'gone')
}

/** Whether a response shows each field of a record as it may have been before. */
function isShownAsBefore(shownRecord: ShownRecord, { fields }: KnownRecord): boolean {
  return Object.entries(shownRecord.fields).every(([name, value]) =>
    mayShow(fields.get(name), value),
  )
}
