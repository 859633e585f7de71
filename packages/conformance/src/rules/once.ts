import { listSentOneTimeValues } from './once/declarations.ts'
import { expectNewlyIssued, reportIssuedEmpty } from './once/issued-values.ts'
import { judgeKnownValue, judgeUnissuedValue } from './once/one-time-values.ts'
import { isRefusedAsUsed, isSentConcurrently } from './once/refused-values.ts'
import { judgeNotedSecondUses } from './once/second-uses.ts'
import { expectTakenRefused, reportRefusedUnused } from './once/unique-values.ts'
import type { Rule } from './rule.ts'

// A response issues a value, such as an `initiation_id` (`IssuedValue`), and a request sends one (`SentValue`). What
// earlier exchanges did with it is its `ValueHistory`. A one-time value works once, and a unique value, such as a
// `tx_id`, belongs to one record.

const onceIssued: Rule = {
  id: 'once-issued',
  says: 'Each response issues an id, a secret, a payment code or a one-time value that no other one issues.',
  advice: 'Draw each of them at random.',
  needs: [],
  /**
   * Expects that each value that a response issues, such as the id and the secret of a new webhook, is neither empty
   * nor issued before.
   */
  read(exchange, model, report) {
    for (const issued of model.values.listIssuedEmpty(exchange))
      reportIssuedEmpty(issued, { exchange, report })

    // A service that accepts a unique value again may return the record that has it.
    if (model.values.isRepeated(exchange)) return
    for (const issued of model.values.listIssued(exchange))
      expectNewlyIssued(issued, { exchange, model, report })
  },
}

const onceUnique: Rule = {
  id: 'once-unique',
  says: 'A unique value is accepted for one record of its partner, however many requests try it at once.',
  advice: 'Let the store keep the value unique, in the transaction that writes the record.',
  needs: [],
  /**
   * Judges each unique value of a request, which one record of a partner may have, such as the `tx_id` of a code: it
   * is refused if a record has it, and is not refused as taken if none has.
   */
  read(exchange, model, report) {
    if (!exchange.identity) return

    // The values of the request that work once: `{ name: 'tx_id', scope: 'partner', pointer: '/tx_id', value: 'A1' }`.
    for (const sentValue of model.values.listSentValues(exchange)) {
      // Another rule judges one-time values, which have no scope.
      if (sentValue.scope === undefined) continue

      // The earlier requests of the partner with the value, by their outcome; undefined if there was none.
      const historyOfPartner = model.values.findValueHistory(sentValue, exchange)
      const isTaken = historyOfPartner !== undefined && historyOfPartner.accepted.length > 0
      if (isTaken) expectTakenRefused(sentValue, historyOfPartner, exchange, report)
      reportRefusedUnused(sentValue, historyOfPartner, { exchange, model, report })
    }
  },
}

const onceUsed: Rule = {
  id: 'once-used',
  says: 'A one-time value works once, in time, for what it was issued for, by the caller it was issued to.',
  advice: 'Mark the value as used in the transaction that does what the request asks for.',
  settles: [
    'initiation/caller',
    'initiation/dict_key',
    'initiation/expired',
    'transfer-repeat/initiation',
    'transfer-repeat/charge',
  ],
  needs: [],
  /**
   * Judges each one-time value of a request: the `initiation_id` of a transfer, which a look-up issues, or the
   * payment code that it pays. A request is refused if its value was used before, or was not issued for it.
   */
  read(exchange, model, report) {
    for (const sentValue of listSentOneTimeValues(exchange, model)) {
      const context = { exchange, model, report }
      // The response that issued the value, and the earlier requests that sent it; undefined if there was neither.
      const valueHistory = model.values.findValueHistory(sentValue, exchange)
      if (valueHistory) judgeKnownValue(sentValue, valueHistory, context)

      const wasIssued = valueHistory?.issuedBy !== undefined
      if (!wasIssued) judgeUnissuedValue(sentValue, context)
    }
  },
  /**
   * Judges the second uses of one-time values that were accepted while the first use, a transfer, was pending. At the
   * end, it is known whether the first one has settled, so that the second use should have been refused.
   */
  end(model, report) {
    judgeNotedSecondUses({ model, report })
  },
}

const onceRefused: Rule = {
  id: 'once-refused',
  says: 'A refused request leaves its values unused: the same value is accepted in a valid request.',
  advice:
    'Mark a value as used in the transaction that does what the request asks for, and nowhere before.',
  settles: ['effects/refused'],
  /**
   * Expects that a request is not refused as a second use of its value, such as a `tx_id`, if all earlier requests
   * with the value were refused: a refused request uses nothing up.
   */
  read(exchange, model, report) {
    if (!model.isComplete) return

    for (const sentValue of model.values.listSentValues(exchange)) {
      const valueHistory = model.values.findValueHistory(sentValue, exchange)
      if (!valueHistory || isSentConcurrently(exchange, sentValue)) continue

      const { refused, accepted, unknown } = valueHistory
      const mayBeUsed = accepted.length > 0 || unknown.length > 0
      if (refused.length === 0 || mayBeUsed) continue

      const isRefused = isRefusedAsUsed(sentValue, exchange)
      // Any other refusal says nothing of the value.
      if (exchange.outcome !== 'accepted' && !isRefused) continue

      report.expect(
        !isRefused,
        {
          evidence: exchange,
          cites: { question: 'effects', statement: 'refused' },
          about: sentValue.pointer,
        },
        () =>
          `${exchange.operation?.id} refuses a ${sentValue.pointer} as used, although no request with it was accepted.`,
      )
    }
  },
}

export const onceRules = [onceIssued, onceUnique, onceUsed, onceRefused]
