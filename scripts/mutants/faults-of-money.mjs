// Faults in the code of money that the simulation has to find within `mostSeeds` lives: each of the class of one that was found since the
// beginning, which `like` names.
export const mostSeeds = 500;

const inSimulation = { tests: { files: ['simulation/src/money.test.ts'] } };

const faults = [
  // Payments.
  {
    like: 'a payment that the link names late',
    what: 'a second payment counts as the first',
    in: 'isBooked',
    from: 'booked.some((payment) => payment.id === id)',
    to: 'booked.length > 0',
  },
  {
    like: 'a request that was paid twice',
    what: 'a second payment goes back to nobody',
    in: 'capture',
    from: 'request.paidAt !== null',
    to: 'false',
  },
  {
    like: 'a payment that crosses with the end',
    what: 'the payment of a request that is over stays',
    in: 'markPaid',
    from: 'request.cancelledAt !== null',
    to: 'false',
  },
  {
    like: 'a time that was given to another',
    what: 'the payment of a time that another got stays',
    in: 'markPaid',
    from: 'await refund();',
    to: '',
  },
  {
    like: 'the comparison of the ledger with the provider',
    what: 'the fee of a payment is not booked',
    in: 'bookCapture',
    from: '[cash, amount - fee], [fees, fee + tax]',
    to: '[cash, amount + tax]',
  },
  {
    like: 'payments whose events were lost',
    what: 'nobody asks for new payments',
    in: 'reconcile',
    from: "['the new payments', findNewPayments],",
    to: '',
  },
  // Refunds.
  {
    like: 'a refund that failed is sent again',
    what: 'a refund that failed counts as sent',
    in: 'shownRefunds',
    from: "status !== 'failed'",
    to: 'true',
  },
  {
    like: 'a refused refund is sent again',
    what: 'what failed counts as under way',
    in: 'recordSent',
    from: "sent.status === 'failed'",
    to: 'false',
  },
  {
    like: 'what a method does not give back becomes a transfer',
    what: 'a refund that the method does not carry waits for ever',
    in: 'bringForward',
    from: 'await turn(transaction, disbursement.id);',
    to: '',
  },
  {
    like: 'the number of a refund',
    what: 'a refused number is not asked for again',
    in: 'storeEnding',
    from: "purpose === 'refund' && isAboutReceiver ? { number: null } : {}",
    to: '{}',
  },
  {
    like: 'an end gives all of it back',
    what: 'a request that its parties end gives nothing back',
    in: 'end',
    from: 'refundCentavos: paidCentavos',
    to: 'refundCentavos: 0',
  },
  {
    like: 'an end gives all of it back',
    what: 'an admin gives money back of any stage',
    in: 'refundRequest',
    from: "and(eq(interactions.id, interactionId), stepCondition('refund', admin))",
    to: 'eq(interactions.id, interactionId)',
  },
  // Payouts.
  {
    like: 'no amount but the attempt’s is sent',
    what: 'a centavo less than owed is sent',
    in: 'transferChannel',
    from: "amount, currency: 'PHP', provider: railFor(amount)",
    to: "amount: amount - 1, currency: 'PHP', provider: railFor(amount)",
  },
  {
    like: 'each attempt has a key of its own',
    what: 'the second attempt has the key of the first',
    in: 'storeAttempt',
    from: `\`\${id}:\${number}\``,
    to: `\`\${id}:1\``,
  },
  {
    like: 'a refused payout is sent again',
    what: 'a refused payout counts as under way',
    in: 'storeEnding',
    from: "state: 'owed', problem",
    to: 'problem',
  },
  {
    like: 'an order without an answer in an outage of two days',
    what: 'an order is repeated after the provider forgot its key',
    in: 'bringForward',
    from: "maySend && attempt.age === 'repeatable'",
    to: 'maySend',
  },
  {
    like: 'a payout that no round takes up',
    what: 'the rounds do not send what is owed',
    in: 'reconcile',
    from: 'case when problem is null then',
    to: "case when problem is null then now() - interval '1 year' when problem is null then",
  },
  // Settling.
  {
    like: 'the fee of a transfer',
    what: 'the fee of a transfer is not booked',
    in: 'settle',
    from: '[fees, feeCentavos], [cash, feeCentavos === null ? amount : -feeCentavos]',
    to: '[fees, 0], [cash, feeCentavos === null ? amount : 0]',
  },
  {
    like: 'a refund by transfer',
    what: 'a refund by transfer counts as earnings',
    in: 'settle',
    from: "const isPayout = purpose === 'payout'",
    to: 'const isPayout = true',
  },
  {
    like: 'payouts of which the card issuer took a part',
    what: 'what was decided is sent, whatever is owed',
    in: 'storeAttempt',
    from: 'const amountCentavos = present.owedCentavos',
    to: 'const amountCentavos = present.amountCentavos',
  },
  {
    like: 'the platform fee',
    what: 'the creator gets the platform fee as well',
    in: 'releaseEscrow',
    from: 'owePayout(transaction, request, paymentId, amount)',
    to: 'owePayout(transaction, request, paymentId, centavos)',
  },
  {
    like: 'of two admins the second is refused',
    what: 'an admin confirms a plan of any stage',
    in: 'confirmPlan',
    from: "and(eq(interactions.id, interactionId), stepCondition('confirm', admin))",
    to: 'eq(interactions.id, interactionId)',
  },
  // Disputes of clients.
  {
    like: 'both parts of a decision are owed',
    what: 'the client’s part of a decision is not owed',
    in: 'settleDecision',
    from: 'refundCentavos > 0',
    to: 'refundCentavos > 1e12',
  },
  {
    like: 'of two decisions at once one is made',
    what: 'a decision does not lock its request',
    in: 'decideRequest',
    from: ".for('update'); if (!row) return null;",
    to: '; if (!row) return null;',
  },
  // Chargebacks.
  {
    like: 'a refund that a dispute stopped is sent once it is won',
    what: 'a decided dispute leaves its request frozen',
    in: 'decide',
    from: "await unfreeze(transaction, request, outcome === 'won' ? row : null);",
    to: '',
  },
  {
    like: 'refunds whose answer was lost',
    what: 'a refund that arrived before the chargeback is nobody’s loss',
    in: 'bookLost',
    from: "Math.max( 0, 0 - (await readLiability(transaction, paymentId, 'escrow')) - held.fromEscrow, )",
    to: '0',
  },
  {
    like: 'what the card issuer took is not owed to the client',
    what: 'what the card issuer took waits for ever',
    in: 'bookLost',
    from: 'await endTaken(transaction, paymentId);',
    to: '',
  },
  {
    like: 'partly lost chargebacks',
    what: 'the rest of a payment that was charged back in part is owed to nobody',
    in: 'endRequest',
    from: 'rest > 0',
    to: 'false',
  },
  {
    like: 'a dispute without a payment',
    what: 'a dispute that several payments fit is booked on the first',
    in: 'onlyFitting',
    from: '!only || others.length > 0 || !captured.includes(only.id)',
    to: '!only || !captured.includes(only.id)',
  },
  {
    like: 'disputes whose events were lost',
    what: 'the decision of a dispute is not looked for',
    in: 'isNews',
    from: "outcomeOf(dispute) !== 'open' || ",
    to: '',
  },
  // Deadlines.
  {
    like: 'a deadline gives all of it back',
    what: 'a request that nobody accepted gives nothing back',
    in: 'expire',
    from: 'refundCentavos: paidCentavos',
    to: 'refundCentavos: 0',
  },
];

export const moneyFaults = faults.map((fault) => ({ ...inSimulation, ...fault }));
