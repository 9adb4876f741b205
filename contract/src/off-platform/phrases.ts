/**
 * What a message says when it proposes to pay or to go on outside of Tara, as data for `off-platform.ts`. Phrases are
 * written as that file normalises messages: lower case, without accents, apostrophes and `fillers`. `*` stands for up to
 * three words of the same clause, `{name}` for each phrase of the list `name`, `#phone` for a Philippine mobile number,
 * `#handle` for an @name, `#email` for an email address, `#amount` for a number of 100 or more, `#colon` for a colon.
 */

/** The phrases of a text, separated by commas. */
const list = (text: string): string[] => text.split(',').map((phrase) => phrase.trim());

/** Words that change nothing here, removed before phrases are compared. */
export const fillers = list(`
  po, ho, nga, ba, bang, naman, kasi, muna, pls, plz, please, kindly, yung, ung, ang, the, a, an, of, this,
  that, just, lang, lng, dont worry, dont forget, dont hesitate, why dont, why not, bakit hindi, no problem,
  no worries, wag * mag alala, wag * kalimutan, not scam, no scam, hindi scam, if you dont mind, kung hindi,
  messenger bag, messenger bags, instagram worthy, insta worthy, ig worthy, telegram office
`);

/** Other spellings of a word, each before the word. */
export const spellings: Record<string, string> = Object.fromEntries(
  list(`
    u you, ur your, thru through, tru through, msg message, txt text, acct account, acc account,
    nlng nalang, nlang nalang, nalng nalang, nlg nalang, aq ako, mu mo, saken sakin, pede pwede, puwede pwede,
    pwd pwede, pwedeng pwede, puwedeng pwede, pwedi pwede, yoko ayoko, dun doon, kesa kaysa, huwag wag,
    deretso diretso, derecho diretso, direkta direct
  `).map((pair) => pair.split(' ')),
);

/** A comma ends the reach of a refusal, and so do these words. */
export const conjunctions = ['so', 'but', 'and', 'then', 'kaya', 'pero', 'tapos', 'because', 'if', 'kung'];

/** Words that `*` does not stand for: they reverse the meaning. */
export const turns = ['outside', 'labas', 'off', 'without'];

export const emailDomains = list('gmail, yahoo, ymail, hotmail, outlook, icloud, proton, protonmail');

export const phrases = {
  app: list('tara, app, platform, site, website'),
  eWallet: list(`
    gcash, g cash, gkash, igcash, paymaya, pay maya, paypal, grabpay, coins ph, venmo, zelle, cash app,
    cashapp, bank transfer, bank deposit, palawan express, instapay, crypto, usdt, bitcoin, btc, qr ko,
    my qr, qr code ko
  `),
  // Maya is also a name, and a bank a place to meet.
  wallet: list(`
    {eWallet}, sa maya, via maya, by maya, through maya, using maya, my maya, maya ko, maya mo, maya account,
    maya number, maya na, bpi, bdo, unionbank, metrobank, landbank, gotyme, seabank, revolut, bank account,
    my bank, bank ko, western union, cebuana, my wallet
  `),
  chatApp: list(`
    whatsapp, whats app, watsapp, wapp, viber, telegram, tele gram, messenger, instagram, insta, ig,
    facebook, fb, wechat, snapchat, snap, skype, discord, kakao, kakaotalk, tiktok, imo, tg, on wa, sa wa,
    my wa, wa me, wa number, on signal, sa signal, line app, line id, imessage
  `),
  pay: list(`
    pay, paying, payment, payments, send, sending, transfer, deposit, settle, hulog, ihulog, bayad, bayaran,
    magbayad, magbabayad, ibayad, babayaran, babayad, bayarin, mabayaran, padala, ipadala, magpadala,
    padalhan, isend, send mo, mag send, magsend, i transfer, itransfer, downpayment, dp, reserve,
    reservation, wire, remit, balance, upfront, half, kalahati, iabot, hand over, magpasa, ipasa
  `),
  advance: list(`
    down payment, downpayment, dp, deposit, reservation fee, advance payment, half now, paunang bayad
  `),
  myWallet: list(`
    to my {wallet}, into my {wallet}, to my account, into my account, to my bank, sa {wallet} ko,
    sa {wallet} namin, sa account ko, on my {wallet}, through my {wallet}
  `),
  cashOffer: list(`
    prefer cash, can do cash, i do cash, cash payment, cash payments, cash bayad, cash na bayad,
    cash nalang bayad, cash na * bayad, accept cash, cash instead, pay * cash instead, bayad * cash na,
    cash to me, cash sakin, cash sa akin, cash when we meet, cash pag nagkita, cash pagkikita
  `),
  privately: list(`
    between us, among ourselves, privately, tayo tayo, tayong dalawa, atin atin, two us, tayo dalawa,
    dalawa tayo
  `),
  notHere: list(`
    hindi * bayad dito, di * bayad dito, hindi * payment dito, dont take payment here,
    dont accept payment here, wala * bayad dito, not paid here, no payment here
  `),
  notOnline: list(`
    no need * online, not online, di * online, hindi * online, wag * online, wag na online, instead online
  `),
  amount: list('#amount'),
  ask: list(`
    could you, can you, can i, pwede, would you, will you, are you ok with, okay, ok, do you accept,
    tumatanggap
  `),
  move: list(`
    lets, can we, could we, shall we, pwede, mind if we, maybe we, better if we, mas ok, mas okay, lipat,
    move
  `),
  toChatApp: list(`
    to {chatApp}, on {chatApp}, over {chatApp}, via {chatApp}, through {chatApp}, sa {chatApp}
  `),
  cancel: list('cancel, decline, icancel, kansel'),
  inPerson: list(`
    sa personal, in person, personalan, kaliwaan, harapan, face to face, hand to hand, in hand, by hand
  `),
  /** Money that goes to the writer or the reader. */
  payPerson: list(`
    pay me, pay you, paying me, paying you, hand me, hand you, give me * money, give me * cash,
    give you * money, give you * cash, send me * money, send you * money, bayaran mo ako, bayaran mo ko,
    bayaran kita, kita bayaran, bayaran na kita, bayaran ako, bayad sakin, bayad sa akin, bayad mo,
    magbayad sakin, magbayad sa akin, ibayad sakin, ibayad sa akin, abot mo, abot ko, iabot mo, iabot ko,
    bigay mo * cash, bigay mo * bayad, bigay ko * cash, bigay ko * bayad, bayad ko sayo, give me #amount,
    give you #amount, send me #amount, send you #amount, ibigay mo, ibibigay mo, bigay mo sa akin,
    bigay mo sakin, iaabot, abutan mo ako, abutan kita, pay directly to me, sakin * magbayad,
    sakin * magbabayad, sa akin * magbayad, sa akin * magbabayad, sakin * nagbayad, sa akin * nagbayad,
    sakin * bayad, sa akin * bayad, doon * bayaran ako, bayaran sakin, bayaran sa akin, give it to me,
    give to me, ibigay sakin, ibigay sa akin, give me cash, give me payment, pay me #amount, pay you #amount,
    pay me later, pay you later
  `),
  toMe: list(`
    to me, to my, on my, in my, into my, via my, through my, sakin, sa akin, me, to you, to your, pay you,
    kita, number ko, my number, account ko, sa iyo, sayo, {wallet} ko, #phone
  `),
  instead: list('na, nalang, instead, first, beforehand, in advance, advance, agad'),
  direct: list(`
    direct, directly, diretso, straight, personally, privately, personal, private, in person, personalan,
    kaliwaan
  `),
  walletRequest: list(`
    {wallet} me, {wallet} mo na, {wallet} mo ko, {wallet} mo ako, {wallet} mo nalang, {wallet} mo sakin,
    {wallet} mo sa akin, {wallet} na tayo, {wallet} nalang, {wallet} kita, i {wallet} mo, {wallet} you,
    {wallet} number ko, my {wallet} number, {wallet} na * kita, {wallet} only, send * {wallet} number,
    your {wallet} number, {wallet} number mo, your {wallet}, ano {wallet} mo, {wallet} mo para,
    cash or {wallet}, {wallet} or cash, {wallet} o cash
  `),
  cash: list('cash, cash basis, money, pera, kash'),
  meeting: list(`
    when we meet, when you arrive, when i arrive, pagkikita, pagkita, pag nagkita, kapag nagkita, pagdating,
    pag dating, meet up, meetup, on day, sa araw, after tour, before trip, on spot, after plan, sa meet up,
    sa meetup, see each other, when we see, pag kita
  `),
  feeAvoided: list(`
    no service fee, no fee, no fees, without fee, without fees, without service fee, zero fee, walang fee,
    wala * fee, walang service fee, walang * fee, iwas fee, iwas sa fee, iwas service fee, iwas * fee,
    sayang fee, sayang * fee, libre service fee, libre na service fee, libre * fee, skip * fee, bawas * fee,
    avoid * fee, avoid * fees, save * fee, save * fees, why pay * fee, tipid * fee, kaltas, less fee,
    take cut, takes cut, their cut, percentage, commission, komisyon, laki * fee, mahal * fee,
    charges too much, fee is too high, fees are too high, makatipid, mas tipid, pareho tayong tipid,
    bawas ng {app}, mabawasan, mababawasan, laki * bawas, cut ng {app}, kinakaltasan, {app} takes,
    {app} charges, {app} only gives, {app} deducts, {app} gets, free * service fee, free service fee,
    fee is waste, fees are waste, waste money, dagdag * fee, minus fee, walang bawas, wala * bawas,
    di * bawas, both save, makakatipid, keep full
  `),
  cheaper: list('cheaper, mas mura, discount, tawad, less, bargain, makakamura, mura, lower price'),
  payOutside: list(`
    pay * outside, paying * outside, payment * outside, bayad * sa labas, bayaran * sa labas, deal outside,
    transact outside, arrange outside, transaction outside, hindi dumadaan sa {app},
    hindi na dumadaan sa {app}, hindi dadaan sa {app}, di dumadaan sa {app}, wag na idaan sa {app}
  `),
  book: list('book, booking, mag book, magbook, hire, deal, transact, mag deal, usap, mag usap'),
  bypass: list(`
    outside {app}, outside from {app}, off {app}, labas * ng {app}, labas * sa {app}, skip {app},
    without {app}, without using {app}, without going through {app}, no need * {app}, dont need {app},
    dont need * {app}, do not need {app}, no need to book here, no need to pay here, no need to request here,
    bypass {app}, avoid {app}, not through {app}, not on {app}, not here but, instead {app}, instead here,
    instead * here, instead * {app}, rather than {app}, rather than here, rather than * here,
    rather than * {app}, kaysa sa {app}, kaysa * {app}, kaysa dito, wala sa {app}, wala na sa {app},
    hindi sa {app}, hindi na sa {app}, hindi na * {app}, wag sa {app}, wag na sa {app}, wag * sa {app},
    ayoko * sa {app}, ayaw * sa {app}, wag * bayad dito, wag * magbayad dito, wag * request dito,
    wag * book dito, do it offline, do offline, offline na, pay offline, offline payment, kahit wala {app},
    kahit walang {app}, di na sa {app}, di na dadaan, wag na dumaan, hindi na dadaan, di na kailangan {app},
    hindi na kailangan * {app}, off record, under table, dont pay * here, dont pay * {app}, dont book * here,
    dont book * {app}, dont request * here, walang {app}, hindi kailangan * {app}, dont want * {app},
    ayaw mo * {app}, forget * {app}, forget about {app}, off app, leave {app} out, cut out {app},
    cut {app} out, {app} is not needed, {app} not needed, {app} isnt needed, hindi dumadaan * {app},
    di dumadaan * {app}, hindi dadaan * {app}, hindi idadaan * {app}, iwas * {app}, abala * {app},
    hassle * {app}
  `),
  cancelHere: list(`
    cancel here, cancel * here, cancel dito, cancel * dito, cancel * request, decline * request,
    cancel * {app}, ikansel * dito, icancel * dito, i cancel * dito, decline here, withdraw * request
  `),
  deal: list(`
    deal, book, booking, request, price, presyo, rate, usap, mag usap, talk, plan, arrange, arrangement,
    transact, transaction, transaksyon, usapan, next one, next time, kontrata, magkano, how much, trust
  `),
  /** An invitation to write or call. */
  invite: list(`
    add me, add you, add kita, add mo, iadd, i add, follow me, dm me, dm you, dm mo, dm kita, pm me, pm you,
    pm mo, pm kita, pm sent, message me, message you, message mo, message kita, message kayo, message nyo,
    message ka, text me, text you, text mo, text kita, text ka, text na, itext mo, i text mo, imessage mo,
    i message mo, i pm mo, i dm mo, i chat mo, chat me, chat mo, chat you, chat kita, chat na, chat there,
    chat tayo, chat * tayo, call me, call you, tawagan, tawag ka, contact me, contact mo, kontakin, reach me,
    reach out, find me, search me, hanapin, look me up, hit me up, hmu, ping me, send me text,
    send me message, write me, write to me, lets move, lets talk, lets chat, lets continue, lets go on,
    lets switch, can we move, can we talk, can we chat, can we continue, can we switch, move to, move our,
    switch to, continue on, continue in, continue our, transfer to, talk on, talk in, talk via, talk there,
    chat on, chat in, chat via, chat through, usap, mag usap, magusap, usap tayo, lipat, lumipat, ituloy,
    reply there, reply faster, faster reply, easier to talk, message anytime, im more active, more active on,
    im always on, active ako, doon * tayo, doon na, talk over, chat over, search mo, i search mo, isearch mo,
    save my number, save number ko, drop me line, pa add, paadd, pa message, pa dm, pa pm, pa text,
    call or text, text or call, text or viber, call #phone, text #phone, message #phone, contact #phone,
    email me, e mail me, email mo ako
  `),
  proposal: list(`
    lets, wanna, want to, can we, shall we, could we, we can, tayo, pwede ka, can i, can you, could you,
    you can, i can, pwede mo, pwede kita, maybe we, mas ok, mas okay, mas madali, easier, faster,
    mas mabilis, better, prefer, id rather
  `),
  talk: list(`
    talk, chat, reply, reach, contact, message, text, call, usap, mag usap, mag chat, magchat, discuss, plan,
    connect, continue, coordinate, communicate
  `),
  chatAppRequest: list(`
    {chatApp} me, {chatApp} mo ako, {chatApp} mo ko, {chatApp} na tayo, {chatApp} nalang, {chatApp} tayo,
    do you have {chatApp}, do you have * {chatApp}, do you use {chatApp}, you have {chatApp},
    have you got {chatApp}, are you on {chatApp}, may {chatApp} ka, meron ka * {chatApp}, may * {chatApp} ka,
    whats your {chatApp}, what is your {chatApp}, have your {chatApp}, get your {chatApp},
    give me your {chatApp}, send me your {chatApp}, send your {chatApp}, ano {chatApp} mo,
    anong {chatApp} mo, pahingi * {chatApp}, penge * {chatApp}, pakisend * {chatApp},
    my {chatApp} is #handle, my {chatApp} #handle, {chatApp} ko #handle, {chatApp} #handle, {chatApp} #phone,
    #phone {chatApp}, {chatApp} ko ay, #colon {chatApp}, {chatApp} #colon, meron * {chatApp},
    mayroon * {chatApp}, may {chatApp} kayo, i have {chatApp}, im on {chatApp}, may {chatApp} ako,
    your {chatApp} so, t me, m me, chat whatsapp com, your {chatApp} instead, exchange {chatApp},
    here is my {chatApp}, heres my {chatApp}, eto {chatApp} ko, ito {chatApp} ko, {chatApp} kita,
    pwede ka * {chatApp}, pwede kita * {chatApp}, kayo {chatApp}, know your {chatApp},
    let me know your {chatApp}, take * to {chatApp}, my {chatApp} #colon, share your {chatApp},
    pwede * {chatApp} na, sa {chatApp} na tayo, {chatApp} id, {chatApp} username, my {chatApp} account is,
    give you my {chatApp}, bigay ko * {chatApp}
  `),
  numberRequest: list(`
    have your number, get your number, give me your number, send me your number, whats your number,
    what is your number, whats your phone number, have your phone number, have your cell, ano number mo,
    anong number mo, pahingi * number, penge * number, number mo para, have your contact, get your contact,
    give you my number, send you my number, swap numbers, exchange numbers, trade numbers, drop your number,
    share your number, leave your number, your number so, text mo number mo, send mo number mo,
    bigay mo number mo, bigay mo * number mo, iwan mo number mo, number mo sa akin, heres my number,
    here is my number, bigay ko * number ko, ibibigay ko * number, send ko * number ko, ito number ko,
    eto number ko, at my number, text me at number, text me on number
  `),
  ownNumber: list(`
    my number, number ko, my cell, cp ko, my phone, contact ko, my contact, is me, globe, smart
  `),
  phone: list('#phone'),
  handle: list('#handle'),
  email: list('#email, my email, email me, email mo ako'),
  accountName: list('username, user name, account name, name ko, my name'),

  // What makes the same words harmless.

  /** The payment of Tara itself. */
  inApp: list(`
    through {app}, via {app}, in {app}, on {app}, sa {app}, using {app}, from {app}, gamit {app}, with {app},
    by {app}, ng {app}, sa loob ng {app}, inside {app}, checkout, check out, payout, payouts, pay me out,
    pay you out, refund, refunds, refunded, irefund, profile, verification, {app} can pay, {app} will pay,
    {app} pays, {app} sends, {app} will send, {app} accept, {app} accepts, {app} take, {app} takes {wallet},
    {app} sent
  `),
  /** Where Tara itself is meant. */
  here: list('here, dito, checkout'),
  bring: list('bring, dalhin, magdala, dala, carry, baon, withdraw, food, pagkain, snacks'),
  posting: list(`
    tag, post, posts, picture, pictures, photo, photos, pics, pic, reel, story, see, saw, nakita, upload,
    page, share, found, look, view, sunset
  `),
  /** Money that came already. */
  received: list(`
    received, natanggap, arrived, came, pumasok, dumating, transferred, cash in, nag cash in, got, allowance,
    sweldo, salary, paid, babalik, ibabalik, bumalik, returned, back, returns
  `),
  /** Somebody else who is paid or called. */
  elsewhere: list(`
    counter, gate, hall, museum, museo, shop, store, tindahan, jeep, jeepney, tricycle, trike, boatman,
    bangka, bangkero, driver, hotel, hostel, restaurant, resto, entrance, karinderya, stall, kuryente, bill,
    bills, fare, pamasahe, taxi, grab, bus, ferry, ticket, tickets, parking, cashier, terminal, palengke,
    market, vendor, cafe, landlord, rent, upa, tuition, mama, nanay, mom, mother, lola, cottage, rental,
    souvenir, souvenirs, pasalubong, tour guide, pay me back, pay you back, queue, pila, seat, room, resort,
    si kuya, kay kuya, group, page nila, boss, office, toll, flight
  `),
  /** Words of a message that warns of it or reports it. */
  warning: list(`
    report, reported, nireport, reporting, scammed, scammer, scammers, scams, nascam, na scam, careful, warn,
    warns, warned, warning, beware, delikado, risky, unsafe, not allowed, protects, protected, suspicious,
    against rules, modus, mag ingat, manloloko, naloko, asked me, asks me, people who, somebody who,
    someone who, nag alok, inalok ako, offered me, scam
  `),
  refusal: list(`
    dont, do not, never, wont, will not, not, cant, cannot, rather not, hindi, di, wag, ayaw, ayoko, bawal,
    stop, refuse, refused, wala akong, doesnt, shouldnt, should not, no longer
  `),
} satisfies Record<string, readonly string[]>;

export type Phrases = keyof typeof phrases;
