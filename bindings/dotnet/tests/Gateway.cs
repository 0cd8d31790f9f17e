using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using Xs2a;

/// <summary>A bank in C#: one person with one account.</summary>
internal sealed class ToyBank
{
    internal readonly ConcurrentDictionary<string, bool> Orders = new ConcurrentDictionary<string, bool>();
    internal readonly ConcurrentQueue<string> Failures = new ConcurrentQueue<string>();

    internal readonly ConcurrentQueue<LogRecord> Logged = new ConcurrentQueue<LogRecord>();

    /// <summary>The last request of each method.</summary>
    internal readonly ConcurrentDictionary<string, string> Asked = new ConcurrentDictionary<string, string>();

    /// <summary>What a function does first, by its name; and by the method, for Call.</summary>
    internal readonly ConcurrentDictionary<string, Action> First = new ConcurrentDictionary<string, Action>();

    internal Bank Bank()
    {
        return new Bank(Answer)
        {
            IsRegistered = organisationId =>
            {
                Before("IsRegistered");
                return true;
            },
            Now = () =>
            {
                Before("Now");
                return new DateTime(2026, 9, 1, 10, 0, 0, DateTimeKind.Utc);
            },
            Log = record =>
            {
                Logged.Enqueue(record);
                Before("Log");
            },
            Failed = (function, why) =>
            {
                Failures.Enqueue(function + ": " + why.Message);
                Before("Failed");
            },
        };
    }

    private void Before(string function)
    {
        if (First.TryGetValue(function, out Action first))
        {
            first();
        }
    }

    private string Answer(string method, string request)
    {
        Asked[method] = request;
        Before(method);
        switch (method)
        {
            case "psu": return "{\"person\":\"kari\"}";
            case "debtor_account":
                return "{\"account\":" + Tools.JsonAt(request, "/account") + ",\"currency\":\"NOK\"}";
            case "fee": return "{\"fee\":{\"amount\":\"0.00\",\"currency\":\"NOK\"}}";
            case "accounts":
                return "{\"psu\":" + Tools.JsonAt(request, "/psu") + ",\"accounts\":[{\"accountId\":\"acc\","
                    + "\"bban\":\"95360573002\",\"currency\":\"NOK\"}]}";
            case "card_accounts": return "{\"psu\":" + Tools.JsonAt(request, "/psu") + ",\"cardAccounts\":[]}";
            case "submit_payment":
                string id = Tools.JsonAt(request, "/paymentId");
                Orders[id] = true;
                return "{\"paymentId\":\"" + id + "\",\"transactionStatus\":\"ACSC\",\"fundsAvailable\":true}";
            default: return "null";
        }
    }
}

/// <summary>An engine over the toy bank, and a TPP that calls it.</summary>
internal sealed class Gateway : IDisposable
{
    internal const string Straks = "/v1/payments/instant-norwegian-domestic-credit-transfers-straks";
    internal const string Approved = "{\"outcome\":\"approved\",\"psu\":{\"person\":\"kari\",\"context\":\"PRIVATE\"}}";
    private const string Payment = "{\"instructedAmount\":{\"amount\":\"250.00\",\"currency\":\"NOK\"},"
        + "\"creditorName\":\"Testodius To\",\"creditorAccount\":{\"bban\":\"95360573037\",\"currency\":\"NOK\"},"
        + "\"creditorAddress\":{\"townName\":\"Oslo\",\"country\":\"NO\"},"
        + "\"debtorAccount\":{\"bban\":\"95360573002\",\"currency\":\"NOK\"}}";

    private static readonly List<Header> Headers = new[] {
        "x-accept-fix", "", "TPP-Session-ID", "session-1", "TPP-Redirect-URI", "https://tpp.example/",
        "PSU-Context", "PRIVATE", "PSU-IP-Address", "192.0.2.1", "Content-Type", "application/json",
    }.Select((text, at) => new { text, at }).GroupBy(one => one.at / 2, one => one.text)
        .Select(pair => new Header(pair.First(), pair.Last())).ToList();

    internal readonly ToyBank Bank = new ToyBank();
    internal readonly Sandbox Sandbox = Sandbox.Open(new SandboxOptions { Seed = 1, Now = "2026-09-01T10:00:00Z" });
    internal readonly Tpp Tpp;
    internal readonly Engine Engine;

    internal Gateway() : this((gateway, bank) => ",\"policy\":{\"account_check_digit\":\"warn\"}",
        gateway => gateway.Tpp.CertificatePem())
    {
    }

    /// <param name="change">May change the bank, and gives what else is configured.</param>
    /// <param name="trusted">Gives the trust anchors.</param>
    internal Gateway(Func<Gateway, Bank, string> change, Func<Gateway, string> trusted)
    {
        Tpp = Sandbox.RegisterTpp("Acme Pay", "AISP,PISP");
        Bank bank = Bank.Bank();
        string more = change(this, bank);
        Engine = Engine.Open("{\"database\":\"sqlite::memory:\",\"trust_anchors\":" + Tools.JsonString(trusted(this))
            + more + "}", bank);
    }

    public void Dispose()
    {
        Engine.Dispose();
        Tpp.Dispose();
        Sandbox.Dispose();
    }

    /// <param name="correlationId">The gateway's own id of the call.</param>
    internal Response Call(string method, string target, string body, string correlationId = null)
    {
        var request = new Request(method, target, Headers, Encoding.UTF8.GetBytes(body), correlationId);
        return Engine.Handle(Tpp.Sign(request));
    }

    /// <summary>A new payment.</summary>
    internal Response Create(string correlationId = null)
    {
        return Call("POST", Straks + "?allowLogicalDuplicate=true", Payment, correlationId);
    }

    /// <summary>The id of the authorisation of an answer.</summary>
    internal static string Authorisation(Response created)
    {
        return created.At("/_links/scaRedirect/href").Split('/').Last();
    }
}
