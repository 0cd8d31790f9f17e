using System;
using System.Collections.Generic;
using System.Text;
using Xs2a;

/// <summary>What the stories share: a sandbox that gives the same bytes every time, and a TPP that signs.</summary>
internal sealed class Story : IDisposable
{
    internal const string Payments = "/v1/payments/instant-norwegian-domestic-credit-transfers-straks";
    internal const string Invoice = "\"remittanceInformationUnstructured\":\"Invoice 1001\"";
    internal static readonly Header Redirect = new Header("TPP-Redirect-URI", "https://tpp.example/callback?state=42");
    internal static readonly List<Header> Headers = new List<Header> {
        new Header("x-accept-fix", ""), new Header("TPP-Session-ID", "session-1"), Redirect,
        new Header("PSU-Context", "PRIVATE"), new Header("PSU-IP-Address", "192.0.2.1"),
        new Header("Content-Type", "application/json") };

    internal readonly Sandbox Bank = Sandbox.Open(new SandboxOptions { Seed = 1, Now = "2026-09-01T10:00:00Z" });
    internal readonly Tpp Tpp;

    internal Story()
    {
        Tpp = Bank.RegisterTpp("Acme Pay", "AISP,PISP");
    }

    public void Dispose()
    {
        Tpp.Dispose();
        Bank.Dispose();
    }

    /// <summary>Signs as the TPP, and sends to the bank.</summary>
    internal Response Send(string method, string target, IReadOnlyList<Header> headers, string body = "")
    {
        return Send(Bank, Tpp, method, target, headers, body);
    }

    internal static Response Send(Sandbox bank, Tpp tpp, string method, string target, IReadOnlyList<Header> headers,
        string body = "")
    {
        return bank.Handle(tpp.Sign(new Request(method, target, headers, Encoding.UTF8.GetBytes(body))));
    }

    /// <summary>The customer approves at the bank; gives the URL to which the customer is sent back.</summary>
    internal static string Approve(Sandbox bank, string link)
    {
        return bank.Authorise(link, new ScaAnswer { CustomerNumber = "13039319955", Approve = true });
    }

    internal string Approve(string link)
    {
        return Approve(Bank, link);
    }

    internal static string PsuId(string callback)
    {
        return callback.Split(new[] { "psu-id=" }, StringSplitOptions.None)[1].Split('&')[0];
    }

    /// <summary>The body of a payment.</summary>
    internal static string Order(string amount, string creditor, string debtor, string remittance)
    {
        return "{\"instructedAmount\":{\"amount\":\"" + amount + "\",\"currency\":\"NOK\"},"
            + "\"creditorName\":\"Testodius To\","
            + "\"creditorAccount\":{\"bban\":\"" + creditor + "\",\"currency\":\"NOK\"},"
            + "\"creditorAddress\":{\"townName\":\"Oslo\",\"country\":\"NO\"},"
            + "\"debtorAccount\":{\"bban\":\"" + debtor + "\",\"currency\":\"NOK\"}," + remittance + "}";
    }

    /// <summary>The members of a JSON array.</summary>
    internal static List<string> Members(string array)
    {
        var members = new List<string>();
        try
        {
            while (true)
            {
                members.Add(Tools.JsonAt(array, "/" + members.Count));
            }
        }
        catch (Xs2aException end) when (end.Code == Result.NotFound)
        {
            return members;
        }
    }
}
