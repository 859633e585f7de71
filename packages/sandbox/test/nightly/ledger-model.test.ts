import { testLedgerModel } from '../ledger-model.ts'

testLedgerModel(300)
