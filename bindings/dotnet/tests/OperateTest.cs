using System;
using System.Linq;
using System.Security.Cryptography;
using System.Threading;
using Xs2a;
using static BindingTest;

/// <summary>The tests of what a gateway records of its calls, and of what an operator asks and does.</summary>
internal static class OperateTest
{
    private static readonly Header[] NoHeaders = new Header[0];

    private static void EqualAt(string json, string pointer, string expected)
    {
        Equal(expected, Tools.JsonAt(json, pointer));
    }

    private static void AnswerHasTheRecordOfItsCall()
    {
        using (var gateway = new Gateway())
        {
            gateway.Bank.First["fee"] = () => Thread.Sleep(2);
            Response created = gateway.Create();
            Equal("createPayment", created.Operation);
            Equal(gateway.Tpp.OrganisationId(), created.Tpp);
            Equal("Acme Pay", created.TppName);
            Equal("PSP_PI PSP_AI", string.Join(" ", created.Roles));
            Timing took = created.Timing;
            TimeSpan minute = TimeSpan.FromMinutes(1);
            Check(took.Bank >= TimeSpan.FromMilliseconds(2) && took.Bank < minute, took.Bank);
            Check(took.Store > TimeSpan.Zero && took.Total >= took.Bank + took.Store && took.Total < minute,
                took.Total);
            Response unsigned = gateway.Engine.Handle(new Request("GET", "/v1/accounts", NoHeaders));
            Equal("getAccounts", unsigned.Operation);
            Check(unsigned.Tpp == null && unsigned.TppName == null, unsigned.Tpp);
            Equal(0, unsigned.Roles.Count);
            Response unknown = gateway.Engine.Handle(new Request("GET", "/v1/unknown", NoHeaders));
            Check(unknown.Operation == null, unknown.Operation);
        }
    }

    private static void CorrelationIdReachesTheBank()
    {
        using (var gateway = new Gateway())
        {
            string longest = new string('x', 64);
            foreach (string id in new[] { "gateway-7", longest })
            {
                Equal(201, gateway.Create(id).Status);
                EqualAt(gateway.Bank.Asked["fee"], "/correlationId", id);
            }
            Equal(201, gateway.Create().Status);
            Check(!gateway.Bank.Asked["fee"].Contains("correlationId"), gateway.Bank.Asked["fee"]);
            foreach (string wrong in new[] { "a b", "å", longest + "x" })
            {
                var request = new Request("GET", "/v1/accounts", NoHeaders, correlationId: wrong);
                Fails(Result.Misuse, () => gateway.Engine.Handle(request));
            }
        }
    }

    private static void RunEndsWhenTheHostSaysSo()
    {
        using (var gateway = new Gateway())
        {
            Engine engine = gateway.Engine;
            for (int i = 0; i < 3; i++)
            {
                engine.CompleteSca(Gateway.Authorisation(gateway.Create()), Gateway.Approved);
            }
            // The first order ends the run.
            Equal(1UL, engine.RunDueWhile(() => gateway.Bank.Orders.IsEmpty).Submitted);
            Thrown<ArgumentException>(() => engine.RunDueWhile(() => throw new ArgumentException("by intention")));
            Equal(1, gateway.Bank.Orders.Count);
            RunReport report = engine.RunDueWhile(() => true);
            Equal("2 0 0 0", string.Join(" ", report.Submitted, report.Withdrawn, report.Failed, report.DeadLetters));
            engine.Dispose();
            Thrown<ObjectDisposedException>(() => engine.RunDueWhile(() => true));
        }
    }

    private static void HealthAndFiguresAreGivenAsText()
    {
        using (var gateway = new Gateway())
        {
            Equal(201, gateway.Create().Status);
            string health = gateway.Engine.Health();
            EqualAt(health, "/ok", "true");
            EqualAt(health, "/trustAnchors/valid", "1");
            string figures = gateway.Engine.Metrics();
            const string counted = "xs2a_requests_total{operation=\"createPayment\",status=\"201\"} 1\n";
            Check(figures.Contains(counted), figures);
        }
    }

    private static void ConsentsAndPaymentsAreListed()
    {
        using (var gateway = new Gateway())
        {
            Engine engine = gateway.Engine;
            Response started = gateway.Call("POST", "/v1/bank-offered-consents", "");
            engine.CompleteSca(Gateway.Authorisation(started), Gateway.Approved);
            EqualAt(engine.Consents("{\"psu\":\"kari\",\"limit\":1}"), "/0/state", "valid");
            Equal("[]", engine.Consents("{\"psu\":\"ola\"}"));
            Equal(true, engine.RevokeConsent("kari", gateway.Tpp.OrganisationId()));
            Equal(false, engine.RevokeConsent("kari", gateway.Tpp.OrganisationId()));
            EqualAt(engine.Consents(""), "/0/state", "revokedByPsu");
            Response created = gateway.Create();
            string payment = created.At("/_links/self/href").Split('/').Last();
            EqualAt(engine.Payments(""), "/0/id", payment);
            Equal("[]", engine.Payments("{\"after\":\"" + payment + "\"}"));
            engine.CompleteSca(Gateway.Authorisation(created), Gateway.Approved);
            EqualAt(engine.Payment(payment), "/events/0/from", "RCVD");
            Check(engine.Payment("unknown") == null, "an unknown payment");
            Fails(Result.Misuse, () => engine.Consents("{\"limit\":0}"));
        }
    }

    /// <summary>The SHA-256 of the DER of a certificate.</summary>
    private static string Digest(string pem)
    {
        string base64 = string.Concat(pem.Split('\n').Where(line => !line.StartsWith("-----")));
        using (SHA256 sha256 = SHA256.Create())
        {
            byte[] digest = sha256.ComputeHash(Convert.FromBase64String(base64));
            return BitConverter.ToString(digest).Replace("-", "").ToLowerInvariant();
        }
    }

    private static void BlockedTppIsRefusedUntilItIsUnblocked()
    {
        using (var gateway = new Gateway())
        {
            string tpp = gateway.Tpp.OrganisationId();
            Blocks(gateway, tpp, null, "/0/tpp", "TPP-03");
            Blocks(gateway, null, Digest(gateway.Tpp.CertificatePem()), "/0/certificate", "TPP-04");
            Fails(Result.Misuse, () => gateway.Engine.Block(null, null, null, null));
            Fails(Result.BadArgument, () => gateway.Engine.Block(tpp, "", "tomorrow", ""));
        }
    }

    private static void Blocks(Gateway gateway, string tpp, string certificate, string subject, string reason)
    {
        const string until = "2026-09-01T10:00:01Z";
        gateway.Engine.Block(tpp, certificate, until, "phishing");
        Response refused = gateway.Create();
        Equal(403, refused.Status);
        Equal(reason, refused.Reason);
        string blocked = gateway.Engine.Blocked();
        EqualAt(blocked, subject, tpp ?? certificate);
        EqualAt(blocked, "/0/until", until);
        EqualAt(blocked, "/0/why", "phishing");
        Equal(true, gateway.Engine.Unblock(tpp, certificate));
        Equal(false, gateway.Engine.Unblock(tpp, certificate));
        Equal(201, gateway.Create().Status);
    }

    internal static void Run()
    {
        AnswerHasTheRecordOfItsCall();
        CorrelationIdReachesTheBank();
        RunEndsWhenTheHostSaysSo();
        HealthAndFiguresAreGivenAsText();
        ConsentsAndPaymentsAreListed();
        BlockedTppIsRefusedUntilItIsUnblocked();
    }
}
