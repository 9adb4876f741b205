import { Banknote, Clock, HandCoins, RotateCcw, ShieldCheck } from 'lucide-react';
import { Badge, CountBadge } from '../Badge.tsx';
import { Card } from '../Card.tsx';
import { Collapsible } from '../Collapsible.tsx';
import { Money } from '../Money.tsx';
import { Spinner } from '../Spinner.tsx';
import { Stars } from '../Stars.tsx';
import { StateLine, StateList } from '../StateLine.tsx';
import { TimeLabel } from '../TimeLabel.tsx';
import { VerifiedMark } from '../VerifiedMark.tsx';
import { Row, Section } from './Section.tsx';

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

export function Facts() {
  return (
    <Section title="Facts">
      <Row>
        <Badge>expired</Badge>
        <Badge tone="lagoon" icon={ShieldCheck}>
          paid
        </Badge>
        <Badge tone="mango">new</Badge>
        <Badge tone="leaf">accepted</Badge>
        <Badge tone="ember">declined</Badge>
        <Badge tone="guava">yours</Badge>
        <CountBadge count={3} label="unread messages" />
        <CountBadge count={240} label="unread messages" />
        <VerifiedMark />
        <Spinner />
      </Row>
      <Row>
        <Stars value={9} figure />
        <Stars value={5} />
        <Stars value={0} />
        <Stars value={10} size={24} />
      </Row>
      <Row>
        <Money pesos={1500} className="text-xl font-bold" />
        <TimeLabel iso={ago(0)} />
        <TimeLabel iso={ago(12)} />
        <TimeLabel iso={ago(130)} />
        <TimeLabel iso={ago(1500)} />
        <TimeLabel iso={ago(60_000)} />
      </Row>
      <Card>
        <h3 className="font-semibold">Your money</h3>
        <StateList className="mt-1">
          <StateLine icon={Banknote} label="Paid" when="14 Mar" value={<Money pesos={1500} />} />
          <StateLine
            icon={ShieldCheck}
            tone="lagoon"
            label="Held until you have met"
            value={<Money pesos={1500} />}
          />
          <StateLine
            icon={HandCoins}
            tone="leaf"
            label="Paid out to Ana"
            when="2h"
            value={<Money pesos={1500} />}
          />
          <StateLine icon={RotateCcw} label="Refunded" value="nothing" />
          <StateLine icon={Clock} tone="mango" label="Payment" value="we are checking" />
        </StateList>
      </Card>
      <Collapsible title="About" open>
        <StateList>
          <StateLine label="Working as student" value="Yes" />
          <StateLine label="Birth date" value="01/01/02" />
        </StateList>
      </Collapsible>
      <Collapsible title="Terms of Ana">Closed until it is asked for.</Collapsible>
    </Section>
  );
}
