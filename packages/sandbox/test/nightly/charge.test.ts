import { testAnyCharge } from '../money/reference.ts'

testAnyCharge(6_000)
