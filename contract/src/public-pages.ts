import { termsVersion } from './limits.ts';
import { longDay } from './philippine-time.ts';

/** `22 November 2026`. */
const versionDate = longDay(termsVersion);

/**
 * The pages that everybody can read without an account. Each sentence has to be true of the product: what changes a rule
 * named here changes its sentence, and a change of the terms or of the privacy policy also `termsVersion` (limits.ts).
 */

/** A paragraph, or the items of a list. */
export type TextBlock = string | readonly string[];

export interface PublicPage {
  title: string;
  /** In a sentence: under the title, and what search engines show. */
  description: string;
  sections: readonly { heading: string; blocks: readonly TextBlock[] }[];
}

const safety: PublicPage = {
  title: 'Meeting safely',
  description: 'How to meet somebody from Tara safely, and what Tara does when something goes wrong.',
  sections: [
    {
      heading: 'In danger',
      blocks: [
        'If you are in danger, leave and call 911, the emergency number in the Philippines. Tara cannot send help and does not watch meetings.',
      ],
    },
    {
      heading: 'Before you meet',
      blocks: [
        [
          'Look at the profile: the verified mark, the stars, what others wrote in reviews, and how often they met people.',
          'Write with each other first. Agree in the plan chat on the place, the day and how long it takes, so that it stands there in writing.',
          'Choose a public place with other people around, also for the first hour of a longer plan.',
          'Tell somebody you trust whom you meet, where, and when you will be back. ‘Share my plan’ in an accepted request makes a link for them, which you can take back at any time.',
          'Arrange your own way there and home.',
          'Say no, or cancel, whenever it does not feel right. You owe nobody a reason.',
        ],
      ],
    },
    {
      heading: 'While you meet',
      blocks: [
        [
          'Keep your phone charged and with you, and your drink in sight.',
          'Stay in public, and leave when you feel pressed to go elsewhere.',
          'Do only what the plan says. Whoever asks for more breaks the rules of Tara.',
          'Press ‘Plan is fulfilled’ only after you have met. It is the sign that the creator may be paid.',
        ],
      ],
    },
    {
      heading: 'Money and scams',
      blocks: [
        'Pay only through Tara. The money of a request is held until an admin confirms that you have met, and goes back when the request falls through. What you pay in cash or to a number in a chat, Tara can neither hold nor give back.',
        [
          'Nobody from Tara asks for your password, for a code, or for money in a chat. Messages of Tara are labelled ‘admin’.',
          'Be careful with anybody who wants to leave Tara before you have met, who is in a hurry, or who asks for money for an emergency, a ticket or an investment.',
          'Never send pictures of your ID or your bank card in a chat. Tara asks for an ID in one place: the form ‘Get Verified’.',
        ],
      ],
    },
    {
      heading: 'What the verified mark means',
      blocks: [
        'An admin compared the name and the birth date of the member with both sides of an ID and a photo of the member. Only verified members who are at least 18 can offer or request plans, and a member who changes the name loses the mark until it is checked again.',
        'It says who somebody is. It does not say how somebody behaves.',
      ],
    },
    {
      heading: 'When something goes wrong',
      blocks: [
        [
          'Report a member, post, comment, review, plan or message in its menu. An admin looks at every report and can remove it, warn, suspend or ban. The other person does not learn who reported.',
          'Block somebody in their menu: you no longer find, see or reach each other. They are not told.',
          'Something was wrong with a paid plan? Do not press ‘Plan is fulfilled’. Press ‘There was a problem’ in the request, say what happened and add photos. The money stays where it is until an admin has heard both of you.',
          'Was it a crime? Tell the police as well. What you wrote in the plan chat stays there for both of you to show.',
        ],
      ],
    },
  ],
};

const terms: PublicPage = {
  title: 'Terms',
  description: `The rules of Tara, in the version of ${versionDate}.`,
  sections: [
    {
      heading: 'Who can be a member',
      blocks: [
        'You have to be at least 18 years old. One person has one account, under their own name, and does not pass it on. You answer for what happens with your account: keep the password to yourself.',
        'To offer or request plans you also have to be verified: an admin compares your name and birth date with your ID.',
      ],
    },
    {
      heading: 'How we treat each other',
      blocks: [
        'Not allowed on Tara:',
        [
          'harassment, threats, hate, and pressure of any kind',
          'nudity and sexual content or services',
          'anything against the law, and anything with people under 18',
          'pretending to be somebody else, or to be Tara',
          'spam, scams, and asking for money outside Tara',
          'publishing what others told you in private, or pictures of others against their will',
        ],
        'Admins look at reports. They can remove what breaks the rules, warn, suspend an account for a time or ban it for good. Nobody decides about a matter of their own, and each decision is written to a log.',
      ],
    },
    {
      heading: 'What you publish',
      blocks: [
        'Your posts, photos, plans, reviews and messages stay yours. You allow Tara to store them and to show them to the people they are meant for, as long as they are on Tara. Publish only what you may publish.',
      ],
    },
    {
      heading: 'Plans',
      blocks: [
        'A plan is an offer of its creator to meet. A request is made with the title, the price and the conditions that the plan has at that moment; a later change of the plan does not change it. The agreement is between the two of you. Tara brings you together and holds the money.',
        'The creator accepts or declines. When creator and client agreed on a day, either can propose another one, and the agreed day stays until the other says yes. A request that is not paid expires after 7 days.',
      ],
    },
    {
      heading: 'The money is held',
      blocks: [
        'You pay the price on the page of our payment provider. From then on Tara holds it: it belongs neither to the creator nor to us until one of these things happens.',
        [
          'You met, you pressed ‘Plan is fulfilled’, and an admin confirmed the plan: the money is paid out to the creator.',
          'The request fell through: the money goes back to you.',
          'There is a dispute: an admin decides whether it is paid out, goes back, or is split.',
        ],
        'Up to 48 hours after ‘Plan is fulfilled’, and until an admin has confirmed, the client can still open a dispute.',
        'If the client does not answer after the agreed day (without one, 14 days after the acceptance), Tara reminds them on the first, third and sixth day. From the seventh day an admin decides about the money.',
      ],
    },
    {
      heading: 'Refunds',
      blocks: [
        'All of the price goes back, without anybody asking for it, when',
        [
          'the creator declines, or does not accept within 7 days after the payment',
          'the client withdraws before the day of the plan',
          'the creator cancels before the plan is fulfilled',
          'the payment arrives after the request was cancelled or its time was taken',
          'the creator is banned before the plan is fulfilled',
        ],
        'The money goes back the way it came. Payment methods allow that only for some time after the payment (a card 60 days, GCash 180 days, GrabPay 90 days, Maya 12 months, QR Ph not at all); later, or for a part of the price, it is transferred to a phone number that the client names. The fees of the payment provider are ours. Your bank or wallet can take some days to show a refund.',
      ],
    },
    {
      heading: 'Disputes',
      blocks: [
        'From the payment on the client can say ‘There was a problem’, with a reason, photos and messages of their own from the plan chat. The creator answers in the same way. An admin sees what both of you did and when, reads the plan chat if needed, and decides: the money is paid out, goes back, or is split. While a dispute is open the money does not move.',
        'Please come to us before you go to your bank. When a card issuer takes a payment back, the money is frozen until that is decided. What it keeps before a payout was sent is not paid out; from the payout on the loss is ours.',
      ],
    },
    {
      heading: 'Payouts',
      blocks: [
        'A payout goes to the Philippine mobile number in your profile. Without one it waits for you. After you change the number it waits for 24 hours, and we write you an email, so that nobody else can take your money unnoticed. Taxes on what you earn are yours to pay.',
        'If Tara keeps a part of the price as its fee, the part is fixed when the request is made and does not change for it.',
      ],
    },
    {
      heading: 'Free plans',
      blocks: [
        'A plan with the price 0 moves no money. Creator and client can withdraw until it is fulfilled.',
      ],
    },
    {
      heading: 'What we cannot promise',
      blocks: [
        'We verify who somebody is, we hold the money and we look at reports. We do not know how a person will behave, we are not present when you meet, and we cannot promise that Tara is always available. Nothing here takes away rights that the law gives you.',
      ],
    },
    {
      heading: 'Leaving, and changes',
      blocks: [
        'You can delete your account at any time in the settings, once no money is under way. The page about privacy says what is deleted and when.',
        'When these terms change, we ask you to agree to the new version before you go on. Requests that were made before stay under the terms of their time.',
      ],
    },
  ],
};

const privacy: PublicPage = {
  title: 'Privacy',
  description: `What Tara stores about you, who sees it and when it is deleted, in the version of ${versionDate}.`,
  sections: [
    {
      heading: 'In short',
      blocks: [
        [
          'We store what you enter and what the product needs to work. There is no advertising, no tracking by others, and nothing is sold.',
          'Your email, phone number and birth date are seen by you and by admins, never by other members.',
          'Pictures of your ID are encrypted, and deleted 30 days after you are verified.',
          'You can take all your data along, and delete your account, in the settings.',
        ],
      ],
    },
    {
      heading: 'What we store',
      blocks: [
        [
          'Account: name, username, email, your password as a hash that nobody can read, a phone number if you give one, and when you agreed to which version of the terms and said to be at least 18.',
          'Profile: what you write about yourself, your picture and your birth date.',
          'What you make: posts, likes, saved posts, plans, requests, reviews, comments, messages and photos. The place in a photo’s file is removed when you upload it.',
          'Money: amounts, states and times of payments, refunds and payouts, and the name and number a payout went to. You enter your card or wallet on the page of the payment provider, PayMongo; we never see the number of a card.',
          'Verification: two pictures of your ID, a photo of you and your address.',
          'Safety: whom you blocked or muted, reports with a copy of what was reported, and what admins did.',
          'Security: for each sign-in and change of the account the time, the IP address and the kind of browser.',
          'What we wrote to you about your requests.',
        ],
      ],
    },
    {
      heading: 'Why',
      blocks: [
        'To do what you ask Tara to do, to hold and move money correctly, to keep members safe, and to keep records of money that the law asks for. You agree to it when you sign up.',
      ],
    },
    {
      heading: 'Who sees what',
      blocks: [
        [
          'Signed-in members see your profile, posts, plans, reviews and comments. Signed-out visitors see a post of yours only when you switched sharing on.',
          'A chat is read by its two members. The chat of a plan can also be opened by an admin who decides a dispute, a request without an answer or a report about it, and a reported message is seen by the admin who decides the report. Each look is written down.',
          'What you write in a dispute, and the photos and messages that you add to it, are seen by the two of you and by admins.',
          'Requests and their money are seen by the two of you and by admins who confirm or decide.',
          'Pictures of IDs are seen by admins alone, after they entered their password again. Each look is written down.',
          'Whoever has a link that you or the other made with ‘Share my plan’ sees both names, the verified mark, the day, the place and whether the plan is still on, until 24 hours after the day or until the link is taken back.',
          'Whoever has your invitation sees your first name and your picture, and whoever has the link to the public page of a plan of yours its title, cover, price and stars, and your first name. You switch each of these links on, and can end it at any time.',
          'Whether you are online, are typing or have read a message is seen by people you chat with, unless you switch it off in the settings.',
          'Your earnings are seen by you and by admins.',
        ],
      ],
    },
    {
      heading: 'Who else gets data',
      blocks: [
        'The payment provider gets what a payment, refund or payout needs: the amount, what it is for, and the name and number that receives it. The mail server that sends our emails gets your address and the email. Authorities get what the law obliges us to give. The card issuer that disputes a payment gets what shows how it was: the plan as booked, what happened when, the confirmations, and what both sides wrote in a dispute and added to it. Nobody else gets anything.',
      ],
    },
    {
      heading: 'How long',
      blocks: [
        [
          'Pictures of your ID: until 30 days after you were accepted, and no longer than until you are declined.',
          'Links that we mail: an hour. A sign-in: 365 days, or until you end it in the settings.',
          'Uploads that are not used: a day.',
          'A message that you take back is removed. In a plan chat it is hidden from both of you, and removed 30 days after the request is over. What you added of it to a dispute stays there as it was.',
          'The file with all your data that you asked for: 7 days.',
          'Everything else: until you delete it or your account.',
        ],
      ],
    },
    {
      heading: 'Deleting your account',
      blocks: [
        'In the settings, with your password. You are hidden from everybody at once. For 14 days you can come back; then your profile, posts, comments, messages, pictures, ID pictures, sign-ins and settings are deleted. It has to wait while a paid request, a payout or a refund is under way.',
        'What stays are records of money without your name, the stars you gave (without the text), and the log of what admins did. Your messages in a chat are replaced by ‘Deleted message’. A backup can hold deleted data until it is replaced.',
      ],
    },
    {
      heading: 'Cookies',
      blocks: [
        'One cookie keeps you signed in, one recognizes a device that signed in before, so that strangers who guess passwords cannot lock you out. Your browser also stores the theme you chose and the drafts of forms. None of it is read by anybody else.',
      ],
    },
    {
      heading: 'How it is protected',
      blocks: [
        'ID pictures are encrypted one by one. Passwords are stored as hashes. Sensitive steps ask for your password again. You see your devices and sign them out in the settings.',
      ],
    },
    {
      heading: 'Your rights',
      blocks: [
        'Under the Data Privacy Act of 2012 (Republic Act No. 10173) you can see, correct, take along and delete your data, and object to its use. You do most of it yourself: ‘Edit profile’ and the settings correct it, ‘Your data’ in the settings hands it over, ‘Delete account’ deletes it. You can complain to the National Privacy Commission of the Philippines.',
      ],
    },
  ],
};

/** The public pages by their path without its slash, in the order of their links. */
export const publicPages = { safety, terms, privacy } as const;
export type PublicPageName = keyof typeof publicPages;
